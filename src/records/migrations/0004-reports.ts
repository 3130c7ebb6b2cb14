import type { Migration } from '../migration.ts'

/** Reports: what was asked, how far it is, where its rows lie, and the configuration saved with it. */
export const reports: Migration = {
  name: '0004-reports',
  async up({ schema }) {
    await schema
      .createTable('reports')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('query', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('error', 'text')
      .addColumn('refresh_status', 'text')
      .addColumn('refresh_error', 'text')
      .addColumn('build', 'text')
      .addColumn('snapshot', 'text')
      .addColumn('source_months', 'text')
      .addColumn('row_count', 'bigint')
      .addColumn('built_at', 'bigint')
      .addColumn('config', 'text')
      .addColumn('revision', 'integer', (c) => c.notNull())
      .addColumn('created_by_user', 'text', (c) => c.references('users.id'))
      .addColumn('created_by_key', 'text', (c) => c.references('api_keys.id'))
      .addColumn('idempotency_key', 'text')
      .addColumn('request_hash', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('deleted_at', 'bigint')
      .execute()
    await schema
      .createIndex('reports_by_organization')
      .on('reports')
      .columns(['organization_id', 'state', 'created_at', 'id'])
      .execute()
    // Keys that are null differ from each other in both databases: only given ones must be unique.
    await schema
      .createIndex('reports_by_idempotency_key')
      .on('reports')
      .columns(['organization_id', 'idempotency_key'])
      .unique()
      .execute()
  },
}
