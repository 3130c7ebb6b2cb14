import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { Caller } from '../accounts/callers.ts'
import type { Tool } from '../operations/tool.ts'
import { toolList } from '../operations/tools.ts'
import { toolSchema } from './tool-schema.ts'

/** A tool as tools/list shows it. */
export function listedTool({ name, title, description, input, output, example }: Tool): ListedTool {
  const inputSchema = toolSchema(input, 'input')
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, examples: [example.request] },
    outputSchema: toolSchema(output, 'output'),
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }
}

// Printed once for the process; a list for each set of tools that some organisation and key may use.
let all: readonly ListedTool[] | undefined
const lists = new Map<string, readonly ListedTool[]>()

/** The tools that a caller may use. */
export function toolsFor(caller: Pick<Caller, 'tools' | 'organizationTools'>): readonly ListedTool[] {
  all ??= toolList.map(listedTool)
  const allowed = all.filter(({ name }) => mayUse(caller, name))
  const known = allowed.map(({ name }) => name).join()
  let made = lists.get(known)
  if (!made) lists.set(known, (made = allowed))
  return made
}

const mayUse = ({ tools, organizationTools }: Pick<Caller, 'tools' | 'organizationTools'>, name: string) =>
  (tools === null || tools.includes(name)) && (organizationTools === null || organizationTools.includes(name))
