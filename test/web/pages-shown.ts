import type { Page } from 'playwright-core'
import { reportTabs } from '../../src/operations/contract-model.ts'

/** What pages are about that the server names when it is made. */
export interface ShownIds {
  readonly report: string
  readonly contract: string
  /** A contract that could not be read. */
  readonly unread: string
}

/** A page as pictures and checks of accessibility meet it, filled with the synthetic demo. */
export interface ShownPage {
  readonly name: string
  readonly path: string | ((ids: ShownIds) => string)
  readonly access: 'visitor' | 'member'
  /** Brings the page into the state to look at. */
  readonly prepare?: (page: Page) => Promise<void>
}

const question =
  'payers=Demo+Everywhere&payers=Demo+Marigold&payers=Demo+Cobalt&payers=Demo+Atlantic&codes=99213%3ACPT&taxonomies=207RC0000X&taxonomies=207Q00000X&taxonomies=207R00000X&states=FL&states=GA&states=TX&states=CA'

/** Every page, and the states of a page that look different. */
export const pagesShown: readonly ShownPage[] = [
  { name: 'landing', path: '/', access: 'visitor' },
  { name: 'sign-up', path: '/sign-up', access: 'visitor' },
  { name: 'log-in', path: '/log-in', access: 'visitor' },
  { name: 'forgot-password', path: '/forgot-password', access: 'visitor' },
  { name: 'reset-password', path: '/reset-password?token=x', access: 'visitor' },
  { name: 'verify-email', path: '/verify-email?token=x', access: 'visitor' },
  { name: 'invitation', path: '/invitation?token=x', access: 'visitor' },
  { name: 'explore-empty', path: '/explore', access: 'member' },
  { name: 'explore', path: `/explore?${question}`, access: 'member' },
  {
    name: 'explore-codes',
    path: `/explore?${question}&codes=93306%3ACPT&codes=99214%3ACPT&compare=medicare_2025`,
    access: 'member',
  },
  { name: 'explore-states', path: `/explore?${question}&view=state`, access: 'member' },
  { name: 'explore-time', path: `/explore?${question}&view=time`, access: 'member' },
  { name: 'explore-nothing', path: `/explore?${question}&zips=99999`, access: 'member' },
  {
    name: 'explore-call',
    path: `/explore?${question}`,
    access: 'member',
    prepare: (page) => page.getByRole('button', { name: 'Show as API call' }).click(),
  },
  {
    name: 'providers',
    path: '/providers',
    access: 'member',
    prepare: async (page) => {
      await page.getByRole('combobox', { name: 'Find a provider' }).fill('lakeview')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'provider-npi',
    path: '/providers/npi/2999000302?payers=Demo+Everywhere&payers=Demo+Marigold&payers=Demo+Lantern',
    access: 'member',
  },
  { name: 'provider-hospital', path: '/providers/ccn/060884', access: 'member' },
  { name: 'provider-tin', path: '/providers/tin/891000030', access: 'member' },
  { name: 'provider-unknown', path: '/providers/npi/1234567893', access: 'member' },
  {
    name: 'medicare',
    path: '/medicare?dataset=Physician+FFS&code=99213&state=FL',
    access: 'member',
  },
  { name: 'medicare-empty', path: '/medicare', access: 'member' },
  { name: 'medicare-drg', path: '/medicare?dataset=MS-DRG+weight&code=470', access: 'member' },
  { name: 'data', path: '/data', access: 'member' },
  { name: 'data-month', path: '/data/Demo%20Atlantic/2026-10', access: 'member' },
  {
    name: 'documentation',
    path: '/documentation#marketBenchmarks',
    access: 'member',
    prepare: (page) => page.getByText('Request fields').click(),
  },
  { name: 'keys', path: '/account/keys', access: 'member' },
  {
    name: 'keys-new',
    path: '/account/keys',
    access: 'member',
    prepare: (page) => page.getByRole('button', { name: 'Make a key' }).click(),
  },
  { name: 'usage', path: '/account/usage', access: 'member' },
  { name: 'credits', path: '/account/credits', access: 'member' },
  { name: 'members', path: '/account/members', access: 'member' },
  { name: 'clients', path: '/account/clients', access: 'member' },
  { name: 'settings', path: '/account/settings', access: 'member' },
  { name: 'reports', path: '/reports', access: 'member' },
  { name: 'reports-archived', path: '/reports?state=archived', access: 'member' },
  { name: 'report-new', path: `/reports/new?${question}`, access: 'member' },
  {
    name: 'report-size',
    path: `/reports/new?${question}`,
    access: 'member',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'See its size' }).click()
      await page.getByRole('button', { name: 'Make the report' }).and(page.locator(':enabled')).waitFor()
    },
  },
  ...reportTabs.map((tab) => ({
    name: `report-${tab}`,
    path: ({ report }: ShownIds) => `/reports/${report}?tab=${tab}`,
    access: 'member' as const,
  })),
  {
    name: 'report-setup',
    path: ({ report }) => `/reports/${report}?tab=percentile`,
    access: 'member',
    prepare: async (page) => {
      await page.getByText('Your side of the table').click()
      await page.getByRole('button', { name: 'Add a filter' }).click()
    },
  },
  { name: 'report-unknown', path: '/reports/3b1f8a52-6d0c-4f0e-9a53-5f0c9b1e2f4e', access: 'member' },
  { name: 'contracts', path: '/contracts', access: 'member' },
  {
    name: 'contract',
    path: ({ contract }) => `/contracts/${contract}`,
    access: 'member',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Aetna Health Inc.', exact: true }).first().click()
      await page.getByRole('button', { name: 'Remove 1234567893' }).click()
      await page.getByRole('button', { name: 'Correct Aetna Health Inc.' }).click()
    },
  },
  {
    name: 'contract-history',
    path: ({ contract }) => `/contracts/${contract}?view=history`,
    access: 'member',
  },
  {
    name: 'contract-add',
    path: ({ contract }) => `/contracts/${contract}`,
    access: 'member',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add to clauses' }).click()
      await page.getByLabel('Type of clause').fill('notice')
      await page.getByRole('form').getByLabel('Value', { exact: true }).fill('Notices in writing')
      await page.getByLabel('Words of the document').fill('words that stand nowhere')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('These words are not in the document').waitFor()
      await page.getByRole('button', { name: 'Add to payers' }).click()
      await page.getByRole('combobox', { name: 'Payer of the registry' }).fill('blue')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'contract-failed',
    path: ({ unread }) => `/contracts/${unread}`,
    access: 'member',
  },
  { name: 'contract-unknown', path: '/contracts/3b1f8a52-6d0c-4f0e-9a53-5f0c9b1e2f4e', access: 'member' },
  { name: 'nothing-here', path: '/nothing/here', access: 'visitor' },
]
