import { useEffect, useState } from 'react'

/** A question under way: how long it takes, and a way out. */
export function Asking({ what = 'Asking…', cancel }: { what?: string; cancel: () => void }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const clock = setInterval(() => setSeconds((now) => now + 1), 1_000)
    return () => clearInterval(clock)
  }, [])
  return (
    <div className="row asking">
      <div className="busy" role="status">
        {what}
      </div>
      {seconds > 1 && (
        <span className="soft small" aria-hidden="true">
          {seconds} s
        </span>
      )}
      <button type="button" className="button" onClick={cancel}>
        Cancel
      </button>
    </div>
  )
}
