/** The two pages that a user sees on the way of connecting a client, and the one when it fails. No script, no inline style. */

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Ratebook</title>
<link rel="stylesheet" href="/oauth/style.css">
</head>
<body>
<main>
<p class="brand">Ratebook</p>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`

/** A client as the pages name it. */
export interface ClientShown {
  readonly name: string
  /** Where the user is sent back to, and for a client that describes itself, where the description lies. */
  readonly redirectHost: string
  readonly documentHost?: string | undefined
}

export function logInPage({
  uid,
  client,
  email = '',
  problem,
}: {
  uid: string
  client: ClientShown
  email?: string
  problem?: string | undefined
}): string {
  return page(
    'Log in',
    `<p><strong>${escaped(client.name)}</strong> wants to use Ratebook in your name. Log in to decide.</p>
${problem ? `<p class="problem" role="alert">${escaped(problem)}</p>` : ''}
<form method="post" action="/oauth/interaction/${escaped(uid)}/log-in">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${escaped(email)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Log in</button>
</form>
<form method="post" action="/oauth/interaction/${escaped(uid)}/abort"><button class="quiet" type="submit">Cancel</button></form>`,
  )
}

export function consentPage({
  uid,
  client,
  email,
  organizations,
  organizationId,
  csrf,
}: {
  uid: string
  client: ClientShown
  email: string
  organizations: readonly { id: string; name: string }[]
  organizationId: string
  csrf: string
}): string {
  const choices = organizations
    .map(
      ({ id, name }) =>
        `<option value="${escaped(id)}"${id === organizationId ? ' selected' : ''}>${escaped(name)}</option>`,
    )
    .join('')
  const organization =
    organizations.length === 1
      ? `<input type="hidden" name="organization" value="${escaped(organizationId)}"><p>It acts for <strong>${escaped(organizations[0]!.name)}</strong>.</p>`
      : `<label for="organization">It acts for</label><select id="organization" name="organization">${choices}</select>`
  return page(
    `Allow ${client.name}?`,
    `<p>You are logged in as <strong>${escaped(email)}</strong>.</p>
<p><strong>${escaped(client.name)}</strong>${client.documentHost ? `, described at <strong>${escaped(client.documentHost)}</strong>,` : ''} asks to:</p>
<ul>
<li>search published rates, providers and Medicare rates with the tools your organisation may use</li>
<li>spend your organisation’s credits, one for each successful call</li>
</ul>
<p>It cannot see or change your account, keys, members or reports. You can disconnect it at any time.</p>
<p>Afterwards you are sent to <strong>${escaped(client.redirectHost)}</strong>. Allow only what you started yourself.</p>
<form method="post" action="/oauth/interaction/${escaped(uid)}/confirm">
<input type="hidden" name="csrf" value="${escaped(csrf)}">
${organization}
<button type="submit">Allow</button>
</form>
<form method="post" action="/oauth/interaction/${escaped(uid)}/abort"><button class="quiet" type="submit">Deny</button></form>`,
  )
}

export function refusalPage(says: string): string {
  return page(
    'This did not work',
    `<p class="problem" role="alert">${escaped(says)}</p>
<p>Start again from the program that sent you here.</p>`,
  )
}

// The colours and sizes of web/style/tokens.css.
export const pageStyle = `:root { color-scheme: light dark; --ground: light-dark(#f7f8f8, #121615); --surface: light-dark(#fff, #1a1f1e);
  --line: light-dark(#dde2e1, #343c3a); --line-strong: light-dark(#868f8d, #78827f); --ink: light-dark(#16201e, #e8edec); --raised: light-dark(#fff, #222827);
  --accent: light-dark(#0f5a52, #5fc9b9); --accent-ink: light-dark(#fff, #06201c); --bad: light-dark(#a3221f, #f28b85); --bad-soft: light-dark(#fce9e8, #3a1a19); }
*, *::before { box-sizing: border-box; }
body { margin: 0; font: 0.9375rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; background: var(--ground); color: var(--ink); }
main { max-width: 28rem; margin: min(10vh, 5rem) auto; padding: 1.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; }
.brand { font-weight: 650; margin: 0; color: var(--accent); }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0.5rem 0 1rem; overflow-wrap: anywhere; }
label { display: block; margin: 1rem 0 0.25rem; font-size: 0.8125rem; font-weight: 600; }
input, select { width: 100%; min-height: 2.25rem; font: inherit; padding: 0.25rem 0.75rem; color: var(--ink); background: var(--raised); border: 1px solid var(--line-strong); border-radius: 6px; }
button { width: 100%; min-height: 2.5rem; margin-top: 1rem; font: inherit; font-weight: 600; border: 1px solid var(--accent); border-radius: 6px; background: var(--accent); color: var(--accent-ink); cursor: pointer; }
button.quiet { background: none; color: var(--ink); border-color: var(--line-strong); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.problem { padding: 0.75rem 1rem; border-left: 4px solid var(--bad); border-radius: 6px; background: var(--bad-soft); }
@media (max-width: 32rem) { main { margin: 1rem; } }
`
