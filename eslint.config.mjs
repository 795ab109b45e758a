import tseslint from 'typescript-eslint';
import importX from 'eslint-plugin-import-x';

const PLATFORM = [
  './api',
  './activities',
  './domain',
  './workflows',
  './worker',
  './db',
  './config',
  './runtime',
  './agent',
];
const TOOLS = ['./dev', './verify', './sdk', './mcp', './examples'];

/** Allowed imports between folders: the arrows in docs/architecture.md. */
const forbidden = [
  {
    target: './db',
    from: ['./workflows', './api', './activities', './worker', './config', './runtime', './agent', ...TOOLS],
  },
  { target: './domain', from: [...PLATFORM.filter((folder) => folder !== './domain'), ...TOOLS] },
  { target: './api', from: ['./activities', './worker', './agent', ...TOOLS] },
  // Resources use `http`, which imports none of them.
  { target: './api/http', from: './api', except: ['./http'] },
  { target: './activities', from: ['./api', './worker', './config', './agent', ...TOOLS] },
  { target: './worker', from: ['./api', './agent', ...TOOLS] },
  {
    target: './workflows',
    from: ['./api', './worker', './db', './config', './runtime', './agent', ...TOOLS],
  },
  // The table of environment variables imports only the domain, so that every process can read it.
  {
    target: './config',
    from: [...PLATFORM.filter((folder) => !['./config', './domain'].includes(folder)), ...TOOLS],
  },
  {
    target: './runtime',
    from: ['./api', './activities', './worker', './db', './config', './agent', ...TOOLS],
  },
  { target: './dev', from: ['./verify', './sdk', './mcp', './examples'] },
  // From the API the SDK imports only the webhook verifier.
  {
    target: './sdk',
    from: [...PLATFORM.filter((folder) => folder !== './api'), './dev', './mcp', './examples'],
  },
  { target: './sdk', from: './api', except: ['./webhooks/verify-webhook.ts'] },
  // The MCP server and the examples use the API like any other client.
  ...['./mcp', './examples'].flatMap((target) => [
    {
      target,
      from: [
        ...PLATFORM.filter((folder) => !['./config', './runtime'].includes(folder)),
        './dev',
        './verify',
      ],
    },
    { target, from: './sdk', except: ['./typescript'] },
  ]),
  // The MCP server also needs its variables, an HTTP server and shares. Examples need only the SDK, like every client.
  { target: './mcp', from: './runtime', except: ['./network', './shares.ts'] },
  ...['./config', './runtime'].map((from) => ({ target: './examples', from })),
  // The agent imports only pure code, because its image lacks the other packages.
  { target: './agent', from: ['./workflows', './api', './activities', './worker', './db', ...TOOLS] },
  { target: './agent', from: './runtime', except: ['./network'] },
  // The other tables use packages of the platform.
  { target: './agent', from: './config', except: ['./agent.ts', './read.ts'] },
  // The console uses the client with its types, errors and captions. From `domain` it shares the expectations of a turn, the limits of
  // conversations and totals, and time zones.
  {
    target: './console',
    from: [...PLATFORM.filter((folder) => folder !== './domain'), './dev', './verify'],
  },
  {
    target: './console',
    from: './domain',
    except: ['kept-conversation-limits', 'local-time', 'count-limits', 'turn-expectations'].map(
      (name) => `./${name}.ts`,
    ),
  },
  {
    target: './console',
    from: './sdk',
    except: ['generated', 'client', 'errors', 'captions'].map((name) => `./typescript/${name}.ts`),
  },
  // Tests of the domain import only the domain.
  {
    target: './test/domain',
    from: ['./api', './activities', './worker', './db', './config', './runtime', './agent', ...TOOLS],
  },
  // The checker of the fault tests shares no code with the engine.
  {
    target: './verify/faults/checker',
    from: [
      './api',
      './domain',
      './workflows',
      './activities',
      './worker',
      './db',
      './config',
      './runtime',
      './dev',
    ],
  },
  { target: './verify/faults/checker', from: './verify', except: ['./faults/checker'] },
];

export default tseslint.config(
  { ignores: ['**/dist/**', 'node_modules/**', '.data/**', '**/*.js', '**/*.mjs', 'sdk/*/generated.ts'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    plugins: { 'import-x': importX },
    // Without this resolver no import of a .ts file is resolved, so no arrow is checked.
    settings: {
      'import-x/resolver-next': [importX.createNodeResolver({ extensions: ['.ts', '.tsx', '.js'] })],
    },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { prefer: 'type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'import-x/no-restricted-paths': ['error', { zones: forbidden }],
      'max-lines': ['error', { max: 400 }],
      'no-console': 'error',
    },
  },
  {
    files: ['workflows/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/activities', '**/activities/**'],
              allowTypeImports: true,
              message: 'workflows can import only types from activities',
            },
            { group: ['node:*', 'fs', 'crypto', 'http'], message: 'workflow code is deterministic: no Node' },
          ],
        },
      ],
    },
  },
  {
    files: ['domain/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [{ group: ['@temporalio/*', 'node:*'], message: 'domain is pure: no Node, no Temporal' }],
        },
      ],
      'no-restricted-globals': ['error', 'process', 'setTimeout', 'Buffer', 'fetch'],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'decisions take now as a parameter' },
      ],
    },
  },
  {
    files: [
      'api/**/*.ts',
      'activities/**/*.ts',
      'agent/**/*.ts',
      'db/**/*.ts',
      'mcp/**/*.ts',
      'worker/**/*.ts',
      'workflows/**/*.ts',
      'config/**/*.ts',
      'runtime/**/*.ts',
    ],
    ignores: ['**/main.ts', 'db/migrate.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'only process entries (main.ts) read the environment',
        },
      ],
    },
  },
  {
    // npm installs all workspaces into one folder, so without this rule the agent could import packages that its image lacks.
    files: ['agent/**/*.ts'],
    rules: {
      'import-x/no-extraneous-dependencies': [
        'error',
        { packageDir: new URL('agent', import.meta.url).pathname, devDependencies: false },
      ],
    },
  },
  {
    files: ['mcp/**/*.ts'],
    rules: {
      'import-x/no-extraneous-dependencies': [
        'error',
        { packageDir: new URL('mcp', import.meta.url).pathname, devDependencies: false },
      ],
    },
  },
  {
    files: ['dev/**/*.ts', 'verify/**/*.ts', '**/main.ts', 'db/migrate.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: [
      'workflows/**/*.ts',
      'api/**/*.ts',
      'activities/**/*.ts',
      'agent/**/*.ts',
      'db/**/*.ts',
      'worker/**/*.ts',
      'dev/**/*.ts',
      'config/**/*.ts',
      'runtime/**/*.ts',
      'verify/**/*.ts',
      'sdk/**/*.ts',
      'console/**/*.{ts,tsx,mts}',
      'mcp/**/*.ts',
      'examples/**/*.ts',
    ],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }] },
  },
  {
    // Tests read JSON responses without types, because their expectations check the shape.
    files: ['test/**/*.ts'],
    rules: Object.fromEntries(
      [
        'no-explicit-any',
        'no-unsafe-assignment',
        'no-unsafe-member-access',
        'no-unsafe-argument',
        'no-unsafe-call',
        'no-unsafe-return',
      ].map((rule) => [`@typescript-eslint/${rule}`, 'off']),
    ),
  },
);
