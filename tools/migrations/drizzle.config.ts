export default {
  dialect: 'postgresql',
  schema: './src/**/*schema.ts',
  out: './src/platform/db/migrations',
  schemaFilter: ['public', 'auth'],
}
