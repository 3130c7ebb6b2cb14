import type { Migration } from '../migration.ts'

/** Work that is done in the background, and how far it is. */
export const jobs: Migration = {
  name: '0003-jobs',
  async up({ schema }) {
    await schema
      .createTable('jobs')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('organization_id', 'text', (c) => c.references('organizations.id'))
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('run_at', 'bigint', (c) => c.notNull())
      .addColumn('worker', 'text')
      .addColumn('beat_at', 'bigint')
      .addColumn('progress', 'double precision', (c) => c.notNull())
      .addColumn('error', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('finished_at', 'bigint')
      .execute()
    await schema.createIndex('jobs_by_turn').on('jobs').columns(['status', 'run_at']).execute()
    await schema.createIndex('jobs_by_subject').on('jobs').column('subject').execute()
  },
}
