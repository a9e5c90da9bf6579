import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { pluginArchive } from '../wordpress/build/artefacts.ts';
import { compressed } from './build/compressed.ts';
import { documentation } from './build/docs/plugin.ts';
import { stylesFirst } from './build/styles-first.ts';

/** A service started beside the development server with `npm start`. */
const SERVICE = 'http://localhost:8080';
/** The service takes changes from its own origin only. */
const proxied = { target: SERVICE, headers: { origin: SERVICE } };

/** The WordPress plugin beside the pages: the setup page says where it is downloaded. */
const wordpressArchive: Plugin = {
  name: 'wordpress-archive',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'ghostlight.zip', source: pluginArchive() });
  },
};

export default defineConfig({
  plugins: [react(), wordpressArchive, documentation, stylesFirst, compressed],
  base: '/',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The policy of the service allows fonts and styles from its own origin only: nothing may become a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // Whose work is in the bundle: packages and images carry it along.
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      // The second one is what every page of the documentation is made from.
      input: ['index.html', 'docs.html'],
      output: {
        // Few chunks: each is a request, and with sixty small ones a load took an eighth more work.
        codeSplitting: {
          groups: [
            // The libraries of the first view: they compress best together, and stay cached when only our code changes.
            {
              name: 'libraries',
              test: /node_modules[\\/](?:@tanstack|react|react-dom|scheduler|use-sync-external-store)[\\/]/,
              priority: 3,
            },
            // What a page of the documentation shares with the dashboard: it has to load nothing else of it.
            {
              name: 'search',
              test: /dashboard[\\/]src[\\/](?:features[\\/]docs|format[\\/](?:theme|copy-text))|[\\/]fold\.ts/,
              priority: 2,
            },
            // A file of their own, which comes first (styles-first.ts).
            { name: 'styles', test: /dashboard[\\/]src[\\/]styles[\\/]index\.css/, priority: 2 },
            // What several pages show.
            {
              name: 'shared',
              test: /packages[\\/](?:dashboard|core)[\\/]src[\\/]/,
              minShareCount: 3,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': proxied, '/v1': proxied, '/readyz': proxied },
  },
});
