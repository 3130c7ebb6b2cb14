import { describe, expect, it } from 'vitest'
import { newCaller } from '../support/doors.ts'
import { listeningServer, sdkClients } from '../support/tool-server.ts'

const payers = async () => [{ payer: 'Cigna', yearMonths: [{ year: 2026, month: 5 }] }]

describe.each(Object.entries(sdkClients))('%s', (_, connect) => {
  const opened = async () => {
    const { service, toolUrl } = await listeningServer({ answers: { payers } })
    return connect(toolUrl, (await newCaller(service)).apiKey)
  }

  it('reads the lists of allowed values', async () => {
    const client = await opened()
    const { resources } = await client.listResources()
    expect(resources.map(({ name }) => name)).toEqual([
      'search-rates-options-payers',
      'search-rates-options-negotiated-types',
      'search-rates-options-aggregations',
      'search-rates-options-taxonomies',
      'search-rates-options-states',
    ])
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri })
      expect(JSON.parse(contents[0]!.text)).toBeInstanceOf(Array)
    }
    const { contents } = await client.readResource({ uri: 'ratebook://search-rates-options-payers' })
    // Payers with data come first.
    expect(JSON.parse(contents[0]!.text)[0]).toMatchObject({
      value: 'Cigna',
      yearMonths: [{ year: 2026, month: 5 }],
    })
    await expect(client.readResource({ uri: 'ratebook://nothing' })).rejects.toThrow()
  })

  it('finds specialties by words', async () => {
    const client = await opened()
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates).toHaveLength(1)
    const { contents } = await client.readResource({
      uri: 'ratebook://search-rates-options-taxonomies/interventional%20cardiology',
    })
    expect(contents[0]!.text).toContain('207RI0011X')
  })

  it('offers prompts with arguments that complete', async () => {
    const client = await opened()
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual([
      'benchmark_a_service',
      'compare_fee_schedule_with_medicare',
    ])
    const { messages } = await client.getPrompt({
      name: 'benchmark_a_service',
      arguments: { service: 'echocardiogram', specialty: 'cardiology', state: 'FL' },
    })
    expect(messages[0]!.content.text).toContain('search_market_percentile_negotiated_rates')
    await expect(client.getPrompt({ name: 'benchmark_a_service', arguments: {} })).rejects.toThrow('service')
    const complete = (name: string, value: string) =>
      client.complete({
        ref: { type: 'ref/prompt', name: 'benchmark_a_service' },
        argument: { name, value },
      })
    expect((await complete('payer', 'unit')).completion.values).toContain('UnitedHealthcare')
    expect((await complete('state', 'F')).completion.values).toEqual(['FL'])
    expect((await complete('specialty', 'cardiov')).completion.values).toContain(
      'Cardiovascular Disease Physician',
    )
    expect((await complete('service', 'x')).completion.values).toEqual([])
  })
})
