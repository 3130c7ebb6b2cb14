import { NavLink, Navigate, Route, Routes } from 'react-router'
import { SignedIn } from '../session.tsx'
import { Clients } from './account-clients.tsx'
import { Credits } from './account-credits.tsx'
import { Keys } from './account-keys.tsx'
import { Members } from './account-members.tsx'
import { Settings } from './account-settings.tsx'
import { Usage } from './account-usage.tsx'

const parts = [
  ['keys', 'API keys'],
  ['usage', 'Usage'],
  ['credits', 'Credits'],
  ['members', 'Members'],
  ['clients', 'Connected clients'],
  ['settings', 'Settings'],
] as const

/** Everything an organisation runs its account with. */
export function Account() {
  return (
    <SignedIn>
      {(me) => (
        <>
          <div className="row between">
            <h1>{me.organization.name}</h1>
            <span className="badge">{me.organization.role}</span>
          </div>
          <nav className="tabs" aria-label="Account">
            {parts.map(([path, title]) => (
              <NavLink key={path} to={`/account/${path}`}>
                {title}
              </NavLink>
            ))}
          </nav>
          <Routes>
            <Route path="keys" element={<Keys me={me} />} />
            <Route path="usage" element={<Usage />} />
            <Route path="credits" element={<Credits />} />
            <Route path="members" element={<Members me={me} />} />
            <Route path="clients" element={<Clients me={me} />} />
            <Route path="settings" element={<Settings me={me} />} />
            <Route path="*" element={<Navigate to="/account/keys" replace />} />
          </Routes>
        </>
      )}
    </SignedIn>
  )
}
