import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'web',
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    sourcemap: true,
    // Nothing is inlined: the content security policy allows our own origin only.
    assetsInlineLimit: 0,
    // A test holds the first load of the explorer under its budget; this warning would only repeat it.
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/app/api': 'http://127.0.0.1:8080' } },
})
