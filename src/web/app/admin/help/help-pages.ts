import { manualPages, type ManualPageName } from '#contract/operations/manual.ts'

/** By the beginning of a screen's path; the longest that fits counts. */
const pagesOfScreens: Record<string, ManualPageName> = {
  '/admin': 'today',
  '/admin/users': 'readers',
  '/admin/setup': 'first-sale',
  '/admin/upload': 'products',
  '/admin/book': 'page',
  '/admin/products': 'products',
  '/admin/products/editions': 'editions',
  '/admin/discounts': 'discounts',
  '/admin/purchases': 'orders',
  '/admin/shipping': 'shipping',
  '/admin/payments': 'payments',
  '/admin/messages': 'messages',
  '/admin/mails': 'email',
  '/admin/backups': 'backups',
  '/admin/security': 'security',
  '/admin/audit': 'security',
  '/admin/sales': 'sales',
  '/admin/settings': 'settings',
  '/admin/settings/mail': 'email',
  '/admin/settings/emails': 'today',
  '/admin/settings/payments': 'payments',
  '/admin/settings/shipping': 'shipping',
  '/admin/settings/tax': 'payments',
  '/admin/settings/admins': 'readers',
}

/** Undefined for the help itself. */
export function helpOf(pathname: string): (typeof manualPages)[number] | undefined {
  const isWithin = (screen: string) => pathname === screen || pathname.startsWith(`${screen}/`)
  if (isWithin('/admin/help')) return undefined
  const screen = Object.keys(pagesOfScreens)
    .filter(isWithin)
    .toSorted((a, b) => b.length - a.length)[0]
  const name = screen && pagesOfScreens[screen]
  return manualPages.find((page) => page.name === name)
}
