import { lazySchema } from './check-fields.ts'

const load = () => import('#features/accounts/contract/credentials.ts')

export const loadSignUpSchema = lazySchema(async () => (await load()).signUpCredentials)
export const loadSignInSchema = lazySchema(async () => (await load()).signInForm)
export const loadRecoverSchema = lazySchema(async () => (await load()).recoverRequest)
export const loadPasswordSchema = lazySchema(async () => (await load()).newPassword)
