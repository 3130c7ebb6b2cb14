import type { FastifyInstance } from 'fastify'
import { optionResources } from '../mcp/options.ts'
import { promptList } from '../mcp/prompts.ts'
import { toolPath, toolScope } from '../oauth/metadata.ts'
import { toolList } from '../operations/tools.ts'
import type { Tool } from '../operations/tool.ts'
import type { Service } from '../service.ts'
import { type Block, htmlOf, markdownOf } from './blocks.ts'
import { fieldRows } from './reference.ts'

/** Serves the tool server's documentation to anybody: people read it before they have an account. */
export function serveMcpDocumentation(app: FastifyInstance, service: Service): void {
  app.get('/mcp/doc', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'public, max-age=300')
      .send(htmlOf('Ratebook tool server', mcpDocumentation(service.address.baseUrl), '/mcp/doc.css')),
  )
  app.get('/mcp/doc.md', async (_request, reply) =>
    reply
      .type('text/markdown; charset=utf-8')
      .header('Cache-Control', 'public, max-age=300')
      .send(markdownOf(mcpDocumentation(service.address.baseUrl))),
  )
  app.get('/mcp/doc.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('Cache-Control', 'public, max-age=3600').send(style),
  )
}

/** What the tool server is, how clients connect, and each tool, from the same table that serves them. */
export function mcpDocumentation(baseUrl: string): Block[] {
  const address = baseUrl + toolPath
  return [
    { kind: 'heading', level: 1, text: 'Ratebook tool server (MCP)' },
    {
      kind: 'text',
      text: 'The tool server lets AI models and agents ask the same questions as the REST interface: what US health insurers agreed to pay providers, who those providers are, and what Medicare pays. It speaks the Model Context Protocol over Streamable HTTP: revision 2026-07-28 and the older ones, on one address.',
    },
    { kind: 'code', language: 'text', text: address },
    { kind: 'heading', level: 2, text: 'Connect' },
    {
      kind: 'list',
      items: [
        `**Claude (web and desktop)**: Settings, Connectors, Add custom connector, and paste \`${address}\`. You are sent here to log in and to agree.`,
        `**Claude Code**: \`claude mcp add --transport http ratebook ${address}\`, then \`/mcp\` to sign in.`,
        `**ChatGPT**: Settings, Connectors (developer mode), Create, and paste \`${address}\` with OAuth.`,
        `**VS Code**: MCP: Add Server, HTTP, and paste \`${address}\`.`,
        `**Cursor and others that read mcp.json**: the entry below. Without the header they sign in through the browser; with it they use an API key.`,
      ],
    },
    {
      kind: 'code',
      language: 'json',
      text: JSON.stringify(
        { mcpServers: { ratebook: { url: address, headers: { Authorization: 'Bearer <API_KEY>' } } } },
        null,
        2,
      ),
    },
    {
      kind: 'text',
      text: 'A host that cannot register itself needs a client id and secret for its redirect address. The operator of this server issues them with `ratebook oauth-clients add --name <name> --redirect <address>`.',
    },
    { kind: 'heading', level: 2, text: 'Access and credits' },
    {
      kind: 'list',
      items: [
        `**OAuth 2.0 with PKCE (S256, required)**: authorisation address \`${baseUrl}/oauth/authorize\`, token address \`${baseUrl}/oauth/token\`, scope \`${toolScope}\`. Clients find everything else by themselves: [server metadata](${baseUrl}/.well-known/oauth-authorization-server), [resource metadata](${baseUrl}/.well-known/oauth-protected-resource${toolPath}). Clients register themselves, name a client-id metadata document, or use an id from the operator.`,
        '**API key**: `Authorization: Bearer <API_KEY>`.',
        '**Tokens** are for this server only, last an hour, and are renewed with a refresh token that changes at every use. Connected clients are listed, and disconnected, in the web application.',
        '**Your organisation’s tool access and credits apply**: `tools/list` shows what you may use, each successful `tools/call` costs one credit unless the operator set another price, and failed calls cost nothing. What is left stands in the `_meta` of each result.',
      ],
    },
    { kind: 'heading', level: 2, text: 'Tools' },
    {
      kind: 'text',
      text: 'Every tool only reads. Results carry `structuredContent` in the documented form and a short table as text. They are bounded; when rows are left out, `advice` says how to narrow or page. An argument that is wrong comes back as a tool error that names it, the nearest allowed values, and where the list is.',
    },
    {
      kind: 'table',
      head: ['tool', 'purpose'],
      rows: toolList.map(({ name, title }) => [`\`${name}\``, title]),
    },
    ...toolList.flatMap(toolBlocks),
    { kind: 'heading', level: 2, text: 'Resources' },
    {
      kind: 'table',
      head: ['resource', 'address', 'holds'],
      rows: optionResources.map(({ name, uri, description = '' }) => [
        `\`${name}\``,
        `\`${uri}\``,
        description,
      ]),
    },
    { kind: 'heading', level: 2, text: 'Prompts' },
    {
      kind: 'table',
      head: ['prompt', 'purpose', 'arguments'],
      rows: promptList.map((prompt) => [
        `\`${prompt.name}\``,
        prompt.description ?? '',
        (prompt.arguments ?? [])
          .map(({ name, required }) => (required ? name : `${name} (optional)`))
          .join(', '),
      ]),
    },
  ]
}

function toolBlocks({ name, title, description, input, output, example }: Tool): Block[] {
  const head = ['field', 'type', 'required', 'meaning']
  return [
    { kind: 'heading', level: 3, text: name },
    { kind: 'text', text: `**${title}.** ${description}` },
    { kind: 'text', text: '**Arguments**' },
    { kind: 'table', head, rows: fieldRows(input) },
    { kind: 'code', language: 'json', text: JSON.stringify(example.request, null, 2) },
    { kind: 'text', text: '**Result** (`structuredContent`)' },
    { kind: 'table', head, rows: fieldRows(output) },
    { kind: 'code', language: 'json', text: JSON.stringify(example.response, null, 2) },
  ]
}

const style = `:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; background: Canvas; color: CanvasText; }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
pre, code { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid GrayText; border-radius: 0.25rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.6rem; border-bottom: 1px solid GrayText; }
`
