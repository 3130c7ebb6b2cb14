/** What a provider is known by. */
export const kindNames = { npi: 'NPI', ccn: 'Hospital', tin: 'TIN' } as const
