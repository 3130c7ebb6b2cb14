import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { tokenHash } from '../accounts/tokens.ts'
import type { Records } from '../records/records.ts'
import type { OAuthRecordsTable } from '../records/tables.ts'
import { clientById, forgetClient, keepClient } from './clients.ts'
import { endGrant } from './grants.ts'

/** The models whose id is a secret that a client holds. We keep its hash, and not the copy that the payload carries as `jti`. */
const secretModels: ReadonlySet<string> = new Set([
  'AccessToken',
  'AuthorizationCode',
  'RefreshToken',
  'InitialAccessToken',
  'RegistrationAccessToken',
])

/** Keeps what the authorisation server must remember in the records store, so that any process can serve the next request. */
export function recordsAdapter(records: Records, now: () => number): (model: string) => Adapter {
  return (model) =>
    model === 'Client' ? clientAdapter(records, now) : new RecordsAdapter(records, model, now)
}

class RecordsAdapter implements Adapter {
  readonly #records: Records
  readonly #model: string
  readonly #now: () => number

  constructor(records: Records, model: string, now: () => number) {
    this.#records = records
    this.#model = model
    this.#now = now
  }

  #idOf(id: string): string {
    return secretModels.has(this.#model) ? tokenHash(id) : id
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { jti, ...rest } = payload
    const row: OAuthRecordsTable = {
      model: this.#model,
      id: this.#idOf(id),
      grant_id: payload.grantId ?? (this.#model === 'Grant' ? id : null),
      uid: payload.uid ?? null,
      payload: JSON.stringify(secretModels.has(this.#model) ? rest : { jti, ...rest }),
      consumed_at: null,
      expires_at: expiresIn ? this.#now() + expiresIn * 1_000 : null,
    }
    const { model: _model, id: _id, consumed_at: _consumed, ...change } = row
    await this.#records.db
      .insertInto('oauth_records')
      .values(row)
      .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(change))
      .execute()
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const row = await this.#records.db
      .selectFrom('oauth_records')
      .select(['payload', 'consumed_at'])
      .where('model', '=', this.#model)
      .where('id', '=', this.#idOf(id))
      .executeTakeFirst()
    return row && payloadOf(row, secretModels.has(this.#model) ? id : undefined)
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const row = await this.#records.db
      .selectFrom('oauth_records')
      .select(['payload', 'consumed_at'])
      .where('model', '=', this.#model)
      .where('uid', '=', uid)
      .executeTakeFirst()
    return row && payloadOf(row)
  }

  async findByUserCode(): Promise<undefined> {
    // Only the device flow has user codes, and it is off.
  }

  /** Marks a code or token as used. Of two that come at once, one is refused, whichever process they reach. */
  async consume(id: string): Promise<void> {
    const used = await this.#records.db
      .updateTable('oauth_records')
      .set({ consumed_at: this.#now() })
      .where('model', '=', this.#model)
      .where('id', '=', this.#idOf(id))
      .where('consumed_at', 'is', null)
      .returning('grant_id')
      .executeTakeFirst()
    if (used) return
    const again = await this.#records.db
      .selectFrom('oauth_records')
      .select('grant_id')
      .where('model', '=', this.#model)
      .where('id', '=', this.#idOf(id))
      .executeTakeFirst()
    if (again?.grant_id) await endGrant(this.#records, again.grant_id, this.#now())
    throw new errors.InvalidGrant('already used')
  }

  async destroy(id: string): Promise<void> {
    await this.#records.db
      .deleteFrom('oauth_records')
      .where('model', '=', this.#model)
      .where('id', '=', this.#idOf(id))
      .execute()
    if (this.#model === 'Grant') await endGrant(this.#records, id, this.#now())
  }

  revokeByGrantId(grantId: string): Promise<void> {
    return endGrant(this.#records, grantId, this.#now())
  }
}

function payloadOf(
  { payload, consumed_at }: Pick<OAuthRecordsTable, 'payload' | 'consumed_at'>,
  jti?: string,
): AdapterPayload {
  return {
    ...(JSON.parse(payload) as AdapterPayload),
    ...(jti !== undefined && { jti }),
    ...(consumed_at !== null && { consumed: Math.floor(consumed_at / 1_000) }),
  }
}

/** Clients have a table of their own, which operators look at. */
function clientAdapter(records: Records, now: () => number): Adapter {
  const never = async () => undefined
  return {
    upsert: (id, payload) => keepClient(records, id, payload, 'registration', now()),
    find: (id) => clientById(records, id),
    destroy: (id) => forgetClient(records, id, now()),
    consume: async () => {},
    revokeByGrantId: async () => {},
    findByUid: never,
    findByUserCode: never,
  }
}
