export type Theme = 'system' | 'light' | 'dark'

/** The chosen theme, kept in the browser. */
export const theme = (): Theme => (localStorage.getItem('theme') as Theme | null) ?? 'system'

export function applyTheme(chosen: Theme = theme()): void {
  localStorage.setItem('theme', chosen)
  if (chosen === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}
