import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Sources run without a build (see CONTRIBUTING.md); the rest are Vite's own defaults, which naming one replaces. */
const conditions = ['retriever-source', 'module', 'node', 'development|production'];
const resolution = { resolve: { conditions }, ssr: { resolve: { conditions } } };

const config: ViteUserConfig = defineConfig({
  test: {
    reporters: ['default', './test/count-reporter.ts'],
    projects: [
      {
        ...resolution,
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], testTimeout: 30_000 },
      },
      {
        ...resolution,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          globalSetup: ['test/containers/setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});

export default config;
