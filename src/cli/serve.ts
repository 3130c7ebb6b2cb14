import { Command } from 'commander'
import { readSettings } from '../config.ts'
import { firstStart } from './first-start.ts'

/** `ratebook serve`: runs the product until it is told to stop. */
export function serveCommand(): Command {
  return new Command('serve').description('run the server (npm start does this)').action(serve)
}

async function serve(): Promise<void> {
  const settings = readSettings(process.env)
  const demoKey = await firstStart(settings)
  // Loaded here, so that the other commands start in half the time.
  const { openService } = await import('../service.ts')
  const { buildServer } = await import('../http/server.ts')
  const service = await openService(settings)
  const app = await buildServer(service, {
    level: settings.RATEBOOK_LOG_LEVEL,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'res.headers["set-cookie"]'],
    serializers: {
      // The path alone: a query may hold a token.
      req: ({ method, url, ip }: { method: string; url: string; ip: string }) => ({
        method,
        path: url.split('?')[0],
        ip,
      }),
    },
  })
  const stopped = stopOnSignal(async () => {
    const patience = setTimeout(() => app.server.closeAllConnections(), settings.RATEBOOK_SHUTDOWN_MS)
    await app.close()
    clearTimeout(patience)
    await service.close()
  })
  try {
    const address = await app.listen({ port: settings.PORT, host: settings.HOST })
    service.address.baseUrl = settings.RATEBOOK_BASE_URL?.replace(/\/$/, '') ?? address
  } catch (error) {
    await service.close()
    throw error
  }
  console.log(`Ratebook listens on ${service.address.baseUrl}`)
  if (demoKey) console.log(`Demo API key (synthetic data, ample credits): ${demoKey}`)
  await stopped
}

/** Resolves when a stop signal came and everything was closed. A second signal ends the process at once. */
function stopOnSignal(close: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false
    const stop = () => {
      if (stopping) process.exit(1)
      stopping = true
      close().then(resolve, reject)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
    onNpmGone(stop)
  })
}

/** npm hands a stop signal to its shell, and the shell dies without handing it on: a process that npm started has to look for itself. */
function onNpmGone(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    stop()
  }, 500)
  look.unref()
}
