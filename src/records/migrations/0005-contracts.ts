import type { Migration } from '../migration.ts'

/** Contracts, and every revision of their entities. */
export const contracts: Migration = {
  name: '0005-contracts',
  async up({ schema }) {
    await schema
      .createTable('contracts')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('file_name', 'text', (c) => c.notNull())
      .addColumn('document_type', 'text', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('digest', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('error', 'text')
      .addColumn('pages', 'integer')
      .addColumn('revision', 'integer', (c) => c.notNull())
      .addColumn('extracted', 'text')
      .addColumn('evidence', 'text')
      .addColumn('created_by', 'text')
      .addColumn('created_key', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('extracted_at', 'bigint')
      .addColumn('deleted_at', 'bigint')
      .execute()
    await schema
      .createIndex('contracts_by_organization')
      .on('contracts')
      .columns(['organization_id', 'created_at'])
      .execute()
    await schema
      .createTable('contract_revisions')
      .addColumn('contract_id', 'text', (c) => c.notNull().references('contracts.id'))
      .addColumn('revision', 'integer', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('resolved', 'text', (c) => c.notNull())
      .addColumn('operations', 'text')
      .addColumn('reverted_to', 'integer')
      .addColumn('request_id', 'text')
      .addColumn('request_digest', 'text')
      .addColumn('user_id', 'text')
      .addColumn('key_id', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('contract_revisions_key', ['contract_id', 'revision'])
      .execute()
    await schema
      .createIndex('contract_revisions_by_request')
      .on('contract_revisions')
      .columns(['contract_id', 'request_id'])
      .unique()
      .execute()
  },
}
