import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/server/db/schema/shop.ts', './src/server/db/schema/auth.ts'],
  out: './src/server/db/migrations',
  schemaFilter: ['public', 'auth'],
})
