// The screens of the admin area in their groups, as its navigation and its search list them.
import { BookOpen, Gift, Mail, ShieldCheck, Truck, type Icon } from '../../components/icons.tsx'
import { ShoppingBag } from '../../components/further-icons.tsx'
import {
  Chart,
  CircleHelp,
  Database,
  MessageSquare,
  Package,
  ScrollText,
  Sliders,
  Sun,
  Tag,
  TriangleAlert,
  Users,
} from './icons.tsx'

/** `words` are further ones that the search finds it by. */
export type View = { to: string; title: string; icon: Icon; words?: string }
type Group = { title?: string; views: readonly View[] }

/** The server counts what waits up to this number. */
export const maxCounted = 100

export const today = { to: '/admin', title: 'Today', icon: Sun }
export const shipping = { to: '/admin/shipping', title: 'Shipping', icon: Truck }
export const messages = { to: '/admin/messages', title: 'Messages', icon: MessageSquare }

export const groups: readonly Group[] = [
  { views: [today] },
  {
    title: 'Sell',
    views: [
      { to: '/admin/purchases', title: 'Orders', icon: ShoppingBag, words: 'purchases' },
      shipping,
      { to: '/admin/discounts', title: 'Discounts', icon: Tag },
      { to: '/admin/discounts/gifts', title: 'Free copies', icon: Gift },
    ],
  },
  {
    title: 'Book',
    views: [
      { to: '/admin/book', title: 'Book page', icon: BookOpen },
      { to: '/admin/products', title: 'Products', icon: Package },
    ],
  },
  {
    title: 'People',
    views: [
      { to: '/admin/users', title: 'Readers', icon: Users, words: 'users accounts people' },
      messages,
      { to: '/admin/mails', title: 'Mail', icon: Mail, words: 'emails log sent' },
    ],
  },
  {
    title: 'Shop',
    views: [
      { to: '/admin/sales', title: 'Sales', icon: Chart },
      { to: '/admin/settings', title: 'Settings', icon: Sliders },
      { to: '/admin/backups', title: 'Backups', icon: Database },
      { to: '/admin/audit', title: 'Log', icon: ScrollText, words: 'what admins changed audit' },
      { to: '/admin/help', title: 'Help', icon: CircleHelp },
    ],
  },
]

/** The lists that other screens lead to: the navigation has no place for them, the search has. */
const further: readonly View[] = [
  {
    to: '/admin/payments',
    title: 'Needs attention',
    icon: TriangleAlert,
    words: 'failed disputes withdrawals',
  },
  {
    to: '/admin/audit/sign-ins',
    title: 'Sign-ins and accounts',
    icon: ShieldCheck,
    words: 'security failed log passwords',
  },
]

export const adminViews = [...groups.flatMap((group) => group.views), ...further]
