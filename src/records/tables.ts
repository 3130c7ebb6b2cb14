import type { Generated } from 'kysely'

/** Milliseconds since 1970, a whole number in both databases. */
export type Instant = number

export interface OrganizationsTable {
  id: string
  name: string
  /** What is left to spend. Changed only together with a usage or a grant row. */
  credits: number
  rate_per_second: number | null
  rate_burst: number | null
  page_size_max: number | null
  /** JSON list of tool names; null = all. */
  tools: string | null
  suspended_at: Instant | null
  created_at: Instant
}

export interface UsersTable {
  id: string
  /** Lower case. */
  email: string
  password_hash: string
  email_verified_at: Instant | null
  created_at: Instant
}

export interface MembershipsTable {
  user_id: string
  organization_id: string
  role: 'admin' | 'member'
  created_at: Instant
}

export interface InvitationsTable {
  id: string
  organization_id: string
  email: string
  role: 'admin' | 'member'
  token_hash: string
  invited_by: string
  created_at: Instant
  expires_at: Instant
  accepted_at: Instant | null
  revoked_at: Instant | null
}

export interface SessionsTable {
  token_hash: string
  user_id: string
  organization_id: string
  created_at: Instant
  last_used_at: Instant
  expires_at: Instant
}

export interface EmailLinksTable {
  token_hash: string
  user_id: string
  purpose: 'verify' | 'reset'
  created_at: Instant
  expires_at: Instant
  used_at: Instant | null
}

export interface ApiKeysTable {
  id: string
  organization_id: string
  name: string
  /** The readable beginning of the key, enough to recognise it, too little to use it. */
  prefix: string
  hash: string
  /** JSON list of endpoint groups; null = all. */
  groups: string | null
  /** JSON list of tool names; null = all that the organisation may use. */
  tools: string | null
  created_by: string | null
  created_at: Instant
  expires_at: Instant | null
  revoked_at: Instant | null
  last_used_at: Instant | null
  /** The key that takes over from this one after a rotation. */
  replaced_by: string | null
}

export interface UsageTable {
  id: Generated<number>
  organization_id: string
  key_id: string | null
  operation: string
  status: number
  credits: number
  latency_us: number
  at: Instant
  /** The UTC day, YYYY-MM-DD, by which usage is summed. */
  day: string
}

export interface CreditGrantsTable {
  id: string
  organization_id: string
  credits: number
  reason: string
  granted_at: Instant
}

export interface SecretsTable {
  name: string
  value: string
  created_at: Instant
}

export interface OAuthClientsTable {
  id: string
  name: string
  origin: 'operator' | 'registration'
  /** Client metadata as JSON; a secret in it is hashed. */
  metadata: string
  created_at: Instant
}

/** Work that is done in the background. */
export interface JobsTable {
  id: string
  kind: string
  /** What it is about, such as a report's id. */
  subject: string
  organization_id: string | null
  /** JSON. */
  payload: string
  status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  attempts: number
  /** Not before. */
  run_at: Instant
  worker: string | null
  /** When its worker last showed that it is alive. */
  beat_at: Instant | null
  /** From 0 to 1. */
  progress: number
  error: string | null
  created_at: Instant
  finished_at: Instant | null
}

/** What a user let a client do, in the name of one of their organisations. */
export interface OAuthConnectionsTable {
  grant_id: string
  user_id: string
  organization_id: string
  client_id: string
  client_name: string
  created_at: Instant
  last_used_at: Instant | null
  ended_at: Instant | null
}

/** Tokens, codes, grants and interactions. The id of a token or code is its hash. */
export interface OAuthRecordsTable {
  model: string
  id: string
  grant_id: string | null
  uid: string | null
  payload: string
  consumed_at: Instant | null
  expires_at: Instant | null
}

export interface ReportsTable {
  id: string
  organization_id: string
  name: string
  /** What was asked, as JSON. */
  query: string
  state: 'active' | 'archived' | 'deleted'
  status: 'queued' | 'running' | 'ready' | 'failed'
  error: string | null
  /** A refresh of a ready report; null = none under way. */
  refresh_status: 'queued' | 'running' | 'failed' | null
  refresh_error: string | null
  /** The folder of its rows, under the report's own; null until there are rows. */
  build: string | null
  snapshot: string | null
  /** JSON list of YYYYMM. */
  source_months: string | null
  row_count: number | null
  built_at: Instant | null
  /** Saved contract-model configuration as JSON. */
  config: string | null
  /** Counts the changes that people made: the ETag. */
  revision: number
  created_by_user: string | null
  created_by_key: string | null
  idempotency_key: string | null
  /** Of the request that made it: tells a repeat from another request with the same key. */
  request_hash: string
  created_at: Instant
  updated_at: Instant
  deleted_at: Instant | null
}

/** An uploaded contract. Its document and text lie in the data folder; its entities here. */
export interface ContractsTable {
  id: string
  organization_id: string
  name: string
  file_name: string
  document_type: string
  bytes: number
  /** SHA-256 of the document. */
  digest: string
  status: 'queued' | 'extracting' | 'ready' | 'failed'
  error: string | null
  pages: number | null
  /** The newest revision; 0 is what was extracted. */
  revision: number
  /** What the extractor found, and the evidence, as JSON. */
  extracted: string | null
  evidence: string | null
  created_by: string | null
  created_key: string | null
  created_at: Instant
  extracted_at: Instant | null
  deleted_at: Instant | null
}

/** A state of a contract's entities, whole, and the change that made it. */
export interface ContractRevisionsTable {
  contract_id: string
  revision: number
  kind: 'extraction' | 'edit' | 'revert'
  resolved: string
  operations: string | null
  reverted_to: number | null
  request_id: string | null
  request_digest: string | null
  user_id: string | null
  key_id: string | null
  at: Instant
}

/** Every table of the row store. */
export interface Tables {
  organizations: OrganizationsTable
  users: UsersTable
  memberships: MembershipsTable
  invitations: InvitationsTable
  sessions: SessionsTable
  email_links: EmailLinksTable
  api_keys: ApiKeysTable
  usage: UsageTable
  credit_grants: CreditGrantsTable
  secrets: SecretsTable
  oauth_clients: OAuthClientsTable
  oauth_connections: OAuthConnectionsTable
  oauth_records: OAuthRecordsTable
  jobs: JobsTable
  reports: ReportsTable
  contracts: ContractsTable
  contract_revisions: ContractRevisionsTable
}
