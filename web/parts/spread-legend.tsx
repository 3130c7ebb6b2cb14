/** What the parts of a distribution mean. */
export function SpreadLegend({ hasMedicare = false }: { hasMedicare?: boolean }) {
  return (
    <p className="legend soft small">
      <Key kind="line">p10 to p90</Key>
      <Key kind="bar">p25 to p75</Key>
      <Key kind="dot">median</Key>
      {hasMedicare && <Key kind="rule">100% = Medicare</Key>}
    </p>
  )
}

function Key({ kind, children }: { kind: 'line' | 'bar' | 'dot' | 'rule'; children: string }) {
  return (
    <span>
      <i className={`key-${kind}`} aria-hidden="true" /> {children}
    </span>
  )
}
