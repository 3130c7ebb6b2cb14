import type { Migration } from '../migration.ts'

/** Tool clients: who they are, who let them in, and the tokens they hold (hashed). */
export const oauth: Migration = {
  name: '0002-oauth',
  async up({ schema }) {
    await schema
      .createTable('oauth_clients')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('origin', 'text', (c) => c.notNull())
      .addColumn('metadata', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await schema
      .createTable('oauth_connections')
      .addColumn('grant_id', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      // No reference: a client known by its metadata document has no row of ours.
      .addColumn('client_id', 'text', (c) => c.notNull())
      .addColumn('client_name', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .execute()
    await schema
      .createIndex('oauth_connections_by_organization')
      .on('oauth_connections')
      .column('organization_id')
      .execute()
    await schema
      .createIndex('oauth_connections_by_client')
      .on('oauth_connections')
      .column('client_id')
      .execute()
    await schema
      .createTable('oauth_records')
      .addColumn('model', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('grant_id', 'text')
      .addColumn('uid', 'text')
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('consumed_at', 'bigint')
      .addColumn('expires_at', 'bigint')
      .addPrimaryKeyConstraint('oauth_records_key', ['model', 'id'])
      .execute()
    await schema.createIndex('oauth_records_by_grant').on('oauth_records').column('grant_id').execute()
    await schema.createIndex('oauth_records_by_uid').on('oauth_records').column('uid').execute()
    await schema.createIndex('oauth_records_by_end').on('oauth_records').column('expires_at').execute()
  },
}
