// The import rules of docs/architecture.md, each of them an error.
const cell = (name) => `^src/server/${name}`

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'web-takes-only-types-from-the-server',
      severity: 'error',
      from: { path: '^src/web' },
      to: { path: '^src/server', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-never-imports-web',
      severity: 'error',
      from: { path: '^src/server' },
      to: { path: '^src/web' },
    },
    {
      name: 'contract-and-content-stand-alone',
      severity: 'error',
      from: { path: '^(src/contract|content)/' },
      to: { path: '^(src|tools|test|e2e|bench)/', pathNot: '^src/(contract|web/generated)/' },
    },
    {
      name: 'shop-and-db-know-nothing-of-http',
      severity: 'error',
      from: { path: cell('(shop|db)/') },
      to: { path: ['node_modules/hono/', cell('(api/|app\\.ts)')] },
    },
    {
      name: 'api-knows-nothing-of-sql',
      severity: 'error',
      from: { path: cell('api/'), pathNot: 'limits\\.ts$' },
      to: { path: ['node_modules/drizzle-orm', cell('db/')] },
    },
    {
      name: 'auth-knows-nothing-of-the-shop',
      severity: 'error',
      from: { path: cell('auth/') },
      to: { path: cell('(shop|api)/'), pathNot: 'shop/mails\\.ts$' },
    },
    {
      name: 'the-shop-knows-nothing-of-auth',
      severity: 'error',
      from: { path: cell('shop/') },
      to: { path: cell('auth/'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'screens-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/web/screens/([^/]+)/' },
      to: { path: '^src/web/screens/', pathNot: '^src/web/screens/$1/' },
    },
    {
      name: 'ui-knows-nothing-of-books',
      severity: 'error',
      from: { path: '^src/web/ui/' },
      to: { path: ['^src/', '^content/'], pathNot: '^src/web/ui/' },
    },
    {
      name: 'outside-systems-only-in-adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: [cell('adapters/'), '\\.test\\.ts$'] },
      to: { path: 'node_modules/(stripe|nodemailer|pg-boss|flydrive|@aws-sdk)/' },
    },
    {
      name: 'credentials-only-in-auth',
      severity: 'error',
      from: { path: '^src/', pathNot: [cell('auth/'), '\\.test\\.ts$'] },
      to: { path: 'node_modules/(jose|@node-rs/argon2|otpauth)/' },
    },
    {
      name: 'adapters-are-built-in-services',
      severity: 'error',
      from: {
        path: '^src/server',
        pathNot: [cell('(services\\.ts|adapters/|db/seed\\.ts)'), '\\.test\\.ts$'],
      },
      to: { path: cell('adapters/'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-tests-in-the-shop',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: ['^(test|e2e|bench|tools)/', '\\.test\\.tsx?$'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '(\\.react-router|src/web/generated)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'types', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
}
