import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type GetPromptResult,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Fixtures } from '../../../src/mcp/server.ts'

/** What the official conformance suite wants every tool server to have. Nothing of this is part of the product. */

// One red pixel, and a silent sample.
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] })
const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

const states = createRequestStateCodec<{ step: string }>({
  key: 'a key that only this test fixture uses, 32+',
})

const question = (message: string, field: string, type = 'string') => ({
  method: 'elicitation/create' as const,
  params: {
    mode: 'form' as const,
    message,
    requestedSchema: { type: 'object' as const, properties: { [field]: { type } }, required: [field] },
  },
})
const sampling = (said: string, maxTokens: number) => ({
  method: 'sampling/createMessage' as const,
  params: {
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: said } }],
    maxTokens,
  },
})
const roots = { method: 'roots/list' as const, params: {} }

const asks = (inputRequests: Record<string, unknown>, requestState?: string) =>
  ({
    resultType: 'input_required',
    inputRequests,
    ...(requestState && { requestState }),
  }) as InputRequiredResult

type Accepted = { action?: string; content?: Record<string, unknown> }

/** The fields of an elicitation that the user accepted; undefined while there are none. */
const accepted = ({ mcpReq }: ServerContext, key: string) => {
  const given = mcpReq.inputResponses?.[key] as Accepted | undefined
  return given?.action === 'accept' ? given.content : undefined
}
const answered = ({ mcpReq }: ServerContext, key: string) => mcpReq.inputResponses?.[key]

/** What the client said it can do, with this request. */
const declaredBy = ({ envelope }: ServerContext['mcpReq']) =>
  ((envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Record<
    string,
    unknown
  >

type Run = (
  sent: Record<string, unknown>,
  context: ServerContext,
) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>

const runs: Record<string, Run> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [{ type: 'image', data: png, mimeType: 'image/png' }] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: png, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  async test_tool_with_progress(_sent, { mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
      await pause()
    }
    return text('Done.')
  },
  async test_tool_with_logging(_sent, { mcpReq }) {
    for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', said)
      await pause()
    }
    return text('Done.')
  },
  async test_logging_tool(_sent, { mcpReq }) {
    await mcpReq.log('info', 'said only to those who want to hear it')
    return text('Done.')
  },
  json_schema_2020_12_tool: () => text('ok'),
  test_custom_headers: () => text('ok'),
  test_missing_capability: (_sent, { mcpReq }) => {
    if (declaredBy(mcpReq)['sampling'] === undefined)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return text('ok')
  },
  test_streaming_elicitation: (_sent, context) =>
    answered(context, 'user_name')
      ? text('Done.')
      : asks({ user_name: question('What is your name?', 'name') }),
  test_input_required_result_elicitation(_sent, context) {
    const name = accepted(context, 'user_name')?.['name']
    return typeof name === 'string'
      ? text(`Hello, ${name}!`)
      : asks({ user_name: question('What is your name?', 'name') })
  },
  test_input_required_result_sampling(_sent, context) {
    const given = answered(context, 'capital_question') as { content?: { text?: string } } | undefined
    return given
      ? text(given.content?.text ?? '')
      : asks({ capital_question: sampling('What is the capital of France?', 100) })
  },
  test_input_required_result_list_roots(_sent, context) {
    const given = answered(context, 'client_roots')
    return given ? text(JSON.stringify(given)) : asks({ client_roots: roots })
  },
  async test_input_required_result_request_state(_sent, context) {
    return context.mcpReq.requestState() !== undefined && answered(context, 'confirm')
      ? text('state-ok')
      : asks({ confirm: question('Please confirm', 'ok', 'boolean') }, await states.mint({ step: 'confirm' }))
  },
  async test_input_required_result_tampered_state(_sent, context) {
    return context.mcpReq.requestState() !== undefined && answered(context, 'confirm')
      ? text('state-ok')
      : asks({ confirm: question('Please confirm', 'ok', 'boolean') }, await states.mint({ step: 'confirm' }))
  },
  async test_input_required_result_multiple_inputs(_sent, context) {
    const given = ['user_name', 'greeting', 'client_roots'].map((key) => answered(context, key))
    return given.every(Boolean)
      ? text(JSON.stringify(given))
      : asks(
          {
            user_name: question('What is your name?', 'name'),
            greeting: sampling('Generate a greeting', 50),
            client_roots: roots,
          },
          await states.mint({ step: 'all' }),
        )
  },
  async test_input_required_result_multi_round(_sent, context) {
    const state = context.mcpReq.requestState<{ step: string }>()
    if (state && state.step === 'second' && answered(context, 'step2')) return text('Done.')
    if (state && state.step === 'first' && answered(context, 'step1'))
      return asks(
        { step2: question('Step 2: What is your favorite color?', 'color') },
        await states.mint({ step: 'second' }),
      )
    return asks(
      { step1: question('Step 1: What is your name?', 'name') },
      await states.mint({ step: 'first' }),
    )
  },
  test_input_required_result_capabilities(_sent, context) {
    const declared = declaredBy(context.mcpReq)
    const wanted = {
      ...(declared['elicitation'] !== undefined && { user_name: question('What is your name?', 'name') }),
      ...(declared['sampling'] !== undefined && { greeting: sampling('Generate a greeting', 50) }),
      ...(declared['roots'] !== undefined && { client_roots: roots }),
    }
    const missing = Object.keys(wanted).filter((key) => !answered(context, key))
    return missing.length === 0 ? text('Done.') : asks(wanted)
  },
}

const special: Record<string, Tool['inputSchema']> = {
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
  test_custom_headers: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  },
}

const prompts: Record<string, (given: Record<string, string>, context: ServerContext) => unknown> = {
  test_simple_prompt: () => said({ type: 'text', text: 'This is a simple prompt for testing.' }),
  test_prompt_with_arguments: ({ arg1, arg2 }) =>
    said({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  test_prompt_with_embedded_resource: ({ resourceUri }) =>
    said(
      {
        type: 'resource',
        resource: {
          uri: resourceUri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      },
      { type: 'text', text: 'Please process the embedded resource above.' },
    ),
  test_prompt_with_image: () =>
    said(
      { type: 'image', data: png, mimeType: 'image/png' },
      { type: 'text', text: 'Please analyze the image above.' },
    ),
  test_input_required_result_prompt: (_given, context) =>
    accepted(context, 'user_context')
      ? said({ type: 'text', text: JSON.stringify(accepted(context, 'user_context')) })
      : asks({ user_context: question('What context should the prompt use?', 'context') }),
}
const said = (...contents: unknown[]) => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})
const promptArguments: Record<string, string[]> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
}

export const conformanceFixtures: Fixtures = {
  options: {
    capabilities: { logging: {} },
    requestState: { verify: (state, context) => states.verify(state, context) },
  },
  tools: Object.keys(runs).map((name) => ({
    name,
    description: 'A fixture of the conformance suite',
    inputSchema: special[name] ?? { type: 'object', properties: {} },
  })),
  resources: [
    { uri: 'test://static-text', name: 'Static text', description: 'A fixture', mimeType: 'text/plain' },
    { uri: 'test://static-binary', name: 'Static binary', description: 'A fixture', mimeType: 'image/png' },
  ],
  templates: [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'Template',
      description: 'A fixture',
      mimeType: 'application/json',
    },
  ],
  prompts: Object.keys(prompts).map((name) => ({
    name,
    description: 'A fixture of the conformance suite',
    arguments: (promptArguments[name] ?? []).map((argument) => ({
      name: argument,
      description: 'A test argument',
      required: true,
    })),
  })),
  call: (params, context) =>
    runs[params.name] && (async () => runs[params.name]!(params.arguments ?? {}, context))(),
  read(uri) {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
    if (id !== undefined)
      return {
        contents: [
          {
            uri,
            mimeType: 'application/json',
            text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
          },
        ],
      }
    if (uri === 'test://static-text')
      return {
        contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
      }
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: png }] }
    return undefined
  },
  prompt: (params, context) =>
    prompts[params.name] &&
    (async () => prompts[params.name]!(params.arguments ?? {}, context) as GetPromptResult)(),
}
