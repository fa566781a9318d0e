// The pages of the manual, each with its screen in the admin area.
import type { Block } from '../book/long-text.ts'

/** The order is that of the manual. */
export const manualPages = [
  { name: 'first-sale', title: 'Your first sale' },
  { name: 'today', title: 'The first screen: Today' },
  { name: 'page', title: 'The page of your book' },
  { name: 'products', title: 'Products and files' },
  { name: 'editions', title: 'New editions' },
  { name: 'orders', title: 'Orders and refunds' },
  { name: 'delivery', title: 'When a book did not arrive' },
  { name: 'shipping', title: 'Shipping' },
  { name: 'discounts', title: 'Discounts and free copies' },
  { name: 'payments', title: 'Payments' },
  { name: 'messages', title: 'Messages' },
  { name: 'email', title: 'Email' },
  { name: 'readers', title: 'Readers and accounts' },
  { name: 'webhook', title: 'Tell another program' },
  { name: 'sales', title: 'Sales' },
  { name: 'internet', title: 'Put your shop on the internet' },
  { name: 'upgrade', title: 'Keep it running and upgrade' },
  { name: 'backups', title: 'Backups' },
  { name: 'moving', title: 'Move to another machine' },
  { name: 'lost-disk', title: 'When the disk has died' },
  { name: 'security', title: 'Security' },
  { name: 'settings', title: 'Settings' },
] as const
export type ManualPageName = (typeof manualPages)[number]['name']

/** Its screen in the admin area. */
export const manualPath = (name: ManualPageName) => `/admin/help/${name}`

/** `text`: without marks, to search in. */
export type ManualPage = { name: ManualPageName; title: string; text: string; blocks: Block[] }
