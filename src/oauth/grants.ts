import type { Records } from '../records/records.ts'

/** Ends a grant: its tokens and codes stop working at once. */
export async function endGrant(records: Records, grantId: string, now: number): Promise<void> {
  await records.db.deleteFrom('oauth_records').where('grant_id', '=', grantId).execute()
  await records.db
    .updateTable('oauth_connections')
    .set({ ended_at: now })
    .where('grant_id', '=', grantId)
    .where('ended_at', 'is', null)
    .execute()
}
