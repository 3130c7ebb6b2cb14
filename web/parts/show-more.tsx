/** Brings the next page of a list, where there is one. */
export function ShowMore({
  list,
}: {
  list: { hasNextPage: boolean; isFetching: boolean; fetchNextPage: () => Promise<unknown> }
}) {
  if (!list.hasNextPage) return undefined
  return (
    <div className="row">
      <button
        type="button"
        className="button"
        disabled={list.isFetching}
        onClick={() => void list.fetchNextPage()}
      >
        Show more
      </button>
    </div>
  )
}
