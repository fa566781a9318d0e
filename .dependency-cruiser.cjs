// The import rules of docs/architecture.md, each of them an error. Type imports count.
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'platform-imports-no-feature',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(src|content)/', pathNot: ['^src/platform/', '^src/config\\.ts$'] },
    },
    {
      name: 'contracts-import-contracts-only',
      severity: 'error',
      from: { path: '^src/(features/[^/]+|platform)/contract(/|\\.ts$)', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(src|content|test|tools|e2e|bench)/',
        pathNot: '^src/(features/[^/]+|platform)/contract(/|\\.ts$)',
      },
    },
    {
      name: 'content-stands-alone',
      severity: 'error',
      from: { path: '^content/' },
      to: { path: '^(src|tools|test|e2e|bench)/', pathNot: '^src/(features/[^/]+/contract|web/generated)' },
    },
    {
      name: 'schemas-import-schemas-and-contracts-only',
      severity: 'error',
      from: { path: '/schema\\.ts$' },
      to: {
        path: '^(src|content)/',
        pathNot: ['^src/platform/db/columns\\.ts$', '/schema\\.ts$', '/contract(/|\\.ts$)'],
      },
    },
    {
      name: 'accounts-import-no-feature-but-mails',
      severity: 'error',
      from: { path: '^src/features/accounts/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/features/', pathNot: '^src/features/(accounts|mails)/' },
    },
    {
      name: 'features-import-no-pages-and-no-app',
      severity: 'error',
      from: { path: '^src/features/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(features|platform)/|^src/(config|services|problems)\\.ts$' },
    },
    {
      name: 'web-takes-contracts-and-types-from-the-server',
      severity: 'error',
      from: { path: '^src/web/' },
      to: {
        path: '^src/',
        pathNot: ['^src/web/', '/contract(/|\\.ts$)', '^src/problems\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'server-never-imports-web',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/web/' },
      to: { path: '^src/web/' },
    },
    {
      name: 'rules-know-nothing-of-http',
      severity: 'error',
      from: {
        path: '^src/features/',
        pathNot: ['routes\\.ts$', '^src/features/accounts/', '(actor|caller)\\.ts$', '\\.test\\.ts$'],
      },
      // Mails are written with Hono's template, which escapes values and touches no request.
      to: { path: 'node_modules/(hono|@hono)/', pathNot: 'node_modules/hono/dist/types/helper/html/' },
    },
    {
      name: 'routes-know-nothing-of-sql',
      severity: 'error',
      from: { path: 'routes\\.ts$' },
      to: { path: ['node_modules/drizzle-orm', '/schema\\.ts$'] },
    },
    {
      name: 'screens-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/web/screens/([^/]+)/' },
      to: { path: '^src/web/screens/', pathNot: '^src/web/screens/$1/' },
    },
    {
      name: 'components-know-nothing-of-books',
      severity: 'error',
      from: { path: '^src/web/components/' },
      to: { path: ['^src/', '^content/'], pathNot: '^src/web/components/' },
    },
    {
      name: 'outside-systems-only-in-platform',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/platform/', '\\.test\\.ts$'] },
      to: { path: 'node_modules/(stripe|nodemailer|pg-boss|flydrive|@aws-sdk|@tus)/' },
    },
    {
      name: 'credentials-only-in-accounts',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/features/accounts/', '\\.test\\.ts$'] },
      to: { path: 'node_modules/(jose|@node-rs/argon2|otpauth|@simplewebauthn)/' },
    },
    {
      name: 'packages-stand-alone',
      severity: 'error',
      from: { path: '^packages/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(src|content|test|tools|e2e|bench|packages)/', pathNot: '^packages/$1/' },
    },
    {
      name: 'no-tests-in-the-shop',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: '\\.test\\.tsx?$' },
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
