import type { MailShop } from '#domains/mail/shop.ts'
import type { Auth } from './auth.ts'

export type AccountsShop = MailShop & { auth: Auth }
