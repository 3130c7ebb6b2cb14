import { Command } from 'commander'
import { readSettings, settingLines } from '../config.ts'

/** `ratebook config`: every setting, its value, default and meaning. */
export function configCommand(): Command {
  return new Command('config')
    .description('print every setting with its value, default and meaning, and check them')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const lines = settingLines(process.env)
      if (json) console.log(JSON.stringify(lines, null, 2))
      else
        for (const line of lines) {
          const from = line.set ? `(set; default ${line.default || 'none'})` : '(default)'
          console.log(`${line.name}=${line.value}  ${from}\n    ${line.meaning}`)
        }
      readSettings(process.env)
    })
}
