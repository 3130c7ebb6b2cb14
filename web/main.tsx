import './style/tokens.css'
import './style/base.css'
import './style/layout.css'
import './style/parts.css'
import './style/table.css'
import './style/charts.css'
import './style/contracts.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { z } from 'zod'
import { ApiFailure } from './api.ts'
import { App } from './app.tsx'
import { applyTheme } from './theme.ts'

// Zod would compile its checks with eval, which the content security policy forbids.
z.config({ jitless: true })
applyTheme()

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      // A refusal stays a refusal; only what may pass by itself is tried again.
      retry: (tried, error) =>
        tried < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 502),
    },
  },
})

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
)
