import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link, NavLink, Route, Routes, useLocation, useNavigate } from 'react-router'
import { call } from './api.ts'
import { countText } from './parts/format.ts'
import { Busy, Notice } from './parts/notice.tsx'
import { useOffer } from './offer.ts'
import { useCredits, useLeave, useMe } from './session.tsx'
import { applyTheme, type Theme, theme } from './theme.ts'

const pages = {
  Landing: lazy(() => import('./pages/landing.tsx').then((page) => ({ default: page.Landing }))),
  SignUp: lazy(() => import('./pages/sign-up.tsx').then((page) => ({ default: page.SignUp }))),
  LogIn: lazy(() => import('./pages/log-in.tsx').then((page) => ({ default: page.LogIn }))),
  AskReset: lazy(() => import('./pages/reset.tsx').then((page) => ({ default: page.AskReset }))),
  ResetPassword: lazy(() => import('./pages/reset.tsx').then((page) => ({ default: page.ResetPassword }))),
  VerifyEmail: lazy(() => import('./pages/verify-email.tsx').then((page) => ({ default: page.VerifyEmail }))),
  Invitation: lazy(() => import('./pages/invitation.tsx').then((page) => ({ default: page.Invitation }))),
  Account: lazy(() => import('./pages/account.tsx').then((page) => ({ default: page.Account }))),
  Providers: lazy(() => import('./pages/providers.tsx').then((page) => ({ default: page.Providers }))),
  Provider: lazy(() => import('./pages/provider.tsx').then((page) => ({ default: page.Provider }))),
  Medicare: lazy(() => import('./pages/medicare.tsx').then((page) => ({ default: page.Medicare }))),
  Data: lazy(() => import('./pages/data.tsx').then((page) => ({ default: page.Data }))),
  DataMonth: lazy(() => import('./pages/data-month.tsx').then((page) => ({ default: page.DataMonth }))),
  Explore: lazy(() => import('./pages/explore.tsx').then((page) => ({ default: page.Explore }))),
  Reports: lazy(() => import('./pages/reports.tsx').then((page) => ({ default: page.Reports }))),
  ReportNew: lazy(() => import('./pages/report-new.tsx').then((page) => ({ default: page.ReportNew }))),
  Report: lazy(() => import('./pages/report.tsx').then((page) => ({ default: page.Report }))),
  Contracts: lazy(() => import('./pages/contracts.tsx').then((page) => ({ default: page.Contracts }))),
  Contract: lazy(() => import('./pages/contract.tsx').then((page) => ({ default: page.Contract }))),
  Documentation: lazy(() =>
    import('./pages/documentation.tsx').then((page) => ({ default: page.Documentation })),
  ),
}

/** The application: a bar on top, a page below. */
export function App() {
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <TopBar />
      <main id="content" tabIndex={-1}>
        <Suspense fallback={<Busy>Loading…</Busy>}>
          <PageTitle />
          <Routes>
            <Route path="/" element={<pages.Landing />} />
            <Route path="/sign-up" element={<pages.SignUp />} />
            <Route path="/log-in" element={<pages.LogIn />} />
            <Route path="/forgot-password" element={<pages.AskReset />} />
            <Route path="/reset-password" element={<pages.ResetPassword />} />
            <Route path="/verify-email" element={<pages.VerifyEmail />} />
            <Route path="/invitation" element={<pages.Invitation />} />
            <Route path="/account/*" element={<pages.Account />} />
            <Route path="/explore" element={<pages.Explore />} />
            <Route path="/providers" element={<pages.Providers />} />
            <Route path="/providers/:kind/:id" element={<pages.Provider />} />
            <Route path="/reports" element={<pages.Reports />} />
            <Route path="/reports/new" element={<pages.ReportNew />} />
            <Route path="/reports/:id" element={<pages.Report />} />
            <Route path="/contracts" element={<pages.Contracts />} />
            <Route path="/contracts/:id" element={<pages.Contract />} />
            <Route path="/medicare" element={<pages.Medicare />} />
            <Route path="/data" element={<pages.Data />} />
            <Route path="/data/:payer/:month" element={<pages.DataMonth />} />
            <Route path="/documentation" element={<pages.Documentation />} />
            <Route path="*" element={<NothingHere />} />
          </Routes>
        </Suspense>
      </main>
      <footer className="foot">
        Published rates, not a guarantee of payment. Taxonomy: NUCC Health Care Provider Taxonomy, © American
        Medical Association.
      </footer>
    </div>
  )
}

const titles: readonly (readonly [string, string])[] = [
  ['/sign-up', 'Sign up'],
  ['/log-in', 'Log in'],
  ['/explore', 'Explore prices'],
  ['/providers', 'Providers'],
  ['/reports', 'Reports'],
  ['/contracts', 'Contracts'],
  ['/medicare', 'Medicare'],
  ['/data', 'Data'],
  ['/account', 'Account'],
  ['/documentation', 'API documentation'],
  ['/', 'Ratebook'],
]

/** Names the page in the browser's title and begins it at its top. */
function PageTitle() {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    const [, title = 'Ratebook'] = titles.find(([path]) => pathname.startsWith(path)) ?? []
    document.title = title === 'Ratebook' ? title : `${title} – Ratebook`
    // A new page begins at its top, for eyes and for screen readers; a field that took the focus keeps it.
    if (before.current === pathname) return
    before.current = pathname
    if (location.hash === '') window.scrollTo(0, 0)
    if (document.activeElement?.tagName !== 'INPUT')
      document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true })
  }, [pathname])
  return null
}

function TopBar() {
  useCredits()
  const { data: me } = useMe()
  return (
    <header className="top">
      <Link className="brand" to="/">
        <img src={new URL('./icon.svg', import.meta.url).href} alt="" />
        Ratebook
      </Link>
      {me && (
        <nav aria-label="Main">
          <NavLink to="/explore">Explore</NavLink>
          <NavLink to="/providers">Providers</NavLink>
          <NavLink to="/reports">Reports</NavLink>
          <NavLink to="/contracts">Contracts</NavLink>
          <NavLink to="/medicare">Medicare</NavLink>
          <NavLink to="/data">Data</NavLink>
          <NavLink to="/documentation">API</NavLink>
          <NavLink to="/account">Account</NavLink>
        </nav>
      )}
      <div className="end">
        {me && (
          <Link to="/account/credits" className="soft small" title="Credits left">
            {countText(me.organization.credits)} credits
          </Link>
        )}
        <ThemeButton />
        {me ? <LogOutButton /> : <VisitorLinks />}
      </div>
    </header>
  )
}

function VisitorLinks() {
  const offer = useOffer()
  return (
    <>
      <Link to="/log-in">Log in</Link>
      {offer?.isOpen !== false && (
        <Link className="button primary" to="/sign-up">
          Sign up
        </Link>
      )}
    </>
  )
}

const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
const themeSigns: Record<Theme, string> = { system: '◐', light: '☀', dark: '☾' }

function ThemeButton() {
  const [chosen, choose] = useState(theme())
  const turn = () => {
    applyTheme(nextTheme[chosen])
    choose(nextTheme[chosen])
  }
  return (
    <button
      type="button"
      className="button quiet"
      onClick={turn}
      aria-label={`Colours: ${chosen}. Change`}
      title={`Colours: ${chosen}`}
    >
      {themeSigns[chosen]}
    </button>
  )
}

function LogOutButton() {
  const leave = useLeave()
  const navigate = useNavigate()
  const logOut = useMutation({
    mutationFn: () => call('logOut', {}),
    onSettled: async () => {
      leave()
      await navigate('/')
    },
  })
  return (
    <button type="button" className="button quiet" onClick={() => logOut.mutate()}>
      Log out
    </button>
  )
}

function NothingHere() {
  return (
    <Notice title="There is no such page">
      <Link to="/">Go to the start</Link>
    </Notice>
  )
}
