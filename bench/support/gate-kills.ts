import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUp } from '../../src/accounts/users.ts'
import { readSettings } from '../../src/config.ts'
import { openRecords } from '../../src/records/open.ts'
import { startGateServer, unlimited } from './gate-servers.ts'
import { bookErrors, gateSums } from './gate-sums.ts'

/** One organisation under load, and what its callers were told. */
interface Customer {
  readonly organizationId: string
  readonly apiKey: string
  acknowledged: number
  /** Calls that were sent and never answered. */
  unanswered: number
  /** The fewest credits that an answer named. */
  leastLeft: number
}

export interface KillOptions {
  readonly rounds: number
  readonly underLoadMs: number
  readonly organizations?: number
  readonly connectionsEach?: number
}

const startCredits = 100_000_000

/** Kills a loaded server with SIGKILL, round after round, and compares the books with what callers were told. */
export async function killRounds(
  store: Readonly<Record<string, string>>,
  { rounds, underLoadMs, organizations = 16, connectionsEach = 4 }: KillOptions,
): Promise<{ errors: string[]; lines: string[] }> {
  const env = { ...unlimited, ...store }
  const settings = readSettings(env)
  const customers = await makeCustomers(settings, organizations)
  const errors: string[] = []
  const lines: string[] = []

  for (let round = 1; round <= rounds; round++) {
    const started = performance.now()
    const server = await startGateServer('metered', env)
    const startMs = performance.now() - started
    const before = acknowledgedBy(customers)
    const load = { running: true }
    const callers = customers.flatMap((customer) =>
      Array.from({ length: connectionsEach }, () => keepCalling(server.url, customer, load)),
    )
    // Not the same moment of a batch each time.
    await sleep(underLoadMs + Math.random() * 200)
    const ended = once(server.process, 'exit')
    server.process.kill('SIGKILL')
    load.running = false
    await Promise.all([ended, ...callers])

    const records = await openRecords(settings)
    const sums = await gateSums(records)
    const found = [...bookErrors(sums), ...lostCalls(customers, sums)]
    if (records.kind === 'sqlite') {
      const [row] = await records.read('pragma integrity_check', [])
      if (row?.['integrity_check'] !== 'ok') found.push(`integrity check: ${JSON.stringify(row)}`)
    }
    await records.close()
    errors.push(...found.map((error) => `round ${round}: ${error}`))
    lines.push(
      `round ${round}: up in ${startMs.toFixed(0)} ms, ${acknowledgedBy(customers) - before} calls acknowledged, ` +
        `${customers.reduce((sum, { unanswered }) => sum + unanswered, 0)} unanswered so far, ${found.length} errors`,
    )
  }
  if (acknowledgedBy(customers) === 0) errors.push('No call was acknowledged: nothing was tested.')
  return { errors, lines }
}

const acknowledgedBy = (customers: readonly Customer[]) =>
  customers.reduce((sum, { acknowledged }) => sum + acknowledged, 0)

async function makeCustomers(
  settings: ReturnType<typeof readSettings>,
  organizations: number,
): Promise<Customer[]> {
  const records = await openRecords(settings)
  const customers: Customer[] = []
  for (let at = 0; at < organizations; at++) {
    const made = await signUp(
      records,
      { email: `clinic-${at}@example.org`, password: 'a long password', organization: `Clinic ${at}` },
      startCredits,
    )
    customers.push({
      organizationId: made.organization.id,
      apiKey: made.apiKey,
      acknowledged: 0,
      unanswered: 0,
      leastLeft: startCredits,
    })
  }
  await records.close()
  return customers
}

/** Calls over one connection, one call after the other, until the server is gone. */
async function keepCalling(url: string, customer: Customer, load: { running: boolean }): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (load.running) {
    try {
      const { status, charged, left } = await plansCall(url, customer.apiKey, agent)
      if (status !== 200 || charged !== 1) throw new Error(`status ${status}, ${charged} charged`)
      customer.acknowledged++
      customer.leastLeft = Math.min(customer.leastLeft, left)
    } catch {
      customer.unanswered++
      break
    }
  }
  agent.destroy()
}

function plansCall(url: string, apiKey: string, agent: Agent) {
  const body = '{"payer":"Aetna"}'
  return new Promise<{ status: number; charged: number; left: number }>((resolve, reject) => {
    const sent = request(`${url}/api/v1/payer/plans`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      // The headers say that it was paid, so from here on the call counts as acknowledged.
      resolve({
        status: answer.statusCode ?? 0,
        charged: Number(answer.headers['x-credits-charged']),
        left: Number(answer.headers['x-credits-remaining']),
      })
      answer.on('error', () => {})
      answer.resume()
    })
    sent.end(body)
  })
}

/** Where the books and what callers were told differ. */
function lostCalls(customers: readonly Customer[], sums: Awaited<ReturnType<typeof gateSums>>): string[] {
  return customers.flatMap(({ organizationId, acknowledged, unanswered, leastLeft }) => {
    const books = sums.find((sum) => sum.organizationId === organizationId)
    if (!books) return [`${organizationId} is gone`]
    return [
      ...(books.granted === startCredits ? [] : [`${organizationId}: ${books.granted} credits granted`]),
      ...(books.paidCalls >= acknowledged
        ? []
        : [`${organizationId}: ${acknowledged} calls acknowledged, ${books.paidCalls} in usage`]),
      // A call that was under way at the kill may be paid without an answer, and no other.
      ...(books.paidCalls <= acknowledged + unanswered
        ? []
        : [
            `${organizationId}: ${books.paidCalls} calls paid, ${acknowledged} acknowledged, ${unanswered} unanswered`,
          ]),
      ...(books.credits <= leastLeft
        ? []
        : [`${organizationId}: ${books.credits} credits, but a caller was told ${leastLeft}`]),
    ]
  })
}
