import { operationList } from '../operations/index.ts'
import { groupMeaning, groupsListed, type Price } from './openapi.ts'

/** The index of endpoints for agents, in the form of the llms.txt convention. */
export function llmsText(baseUrl: string, price: Price = ({ credits }) => credits): string {
  return [
    '# Ratebook',
    '> US healthcare prices: the rates that health insurers negotiated with providers, from their machine-readable files; provider look-up and search; exact market statistics.',
    'Every request carries `Authorization: Bearer <API key>` and a JSON body. Unknown properties are refused. A 400 lists every problem with its path. Start with GET /api/v1/payers for the payers and periods that have data.',
    '## Documentation',
    [
      `- [API reference](${baseUrl}/api/doc.md): every operation with its fields, an example and its price`,
      `- [OpenAPI description](${baseUrl}/openapi.json): the same for machines`,
      `- [Tool server](${baseUrl}/mcp/doc.md): the same questions as MCP tools, at ${baseUrl}/api/v1/open/mcp`,
    ].join('\n'),
    ...groupsListed.flatMap((group) => [
      `## ${group} endpoints`,
      `${groupMeaning[group]}.`,
      operationList
        .filter((operation) => operation.group === group)
        .map(
          (operation) =>
            `- [${operation.method} ${operation.path}](${baseUrl}${operation.path}): ${operation.summary} (${price(operation)} credit${price(operation) === 1 ? '' : 's'})`,
        )
        .join('\n'),
    ]),
    '',
  ].join('\n\n')
}
