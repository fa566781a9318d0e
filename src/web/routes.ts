// The site map. Every path without a parameter is a page that the server renders once and keeps.
import { index, route, type RouteConfig } from '@react-router/dev/routes'

export default [
  index('screens/home/home.tsx'),
  route('preview', 'screens/preview/preview.tsx'),
  route('auth', 'screens/auth/auth.tsx'),
  route('setup', 'screens/setup/setup.tsx'),
  route('dashboard', 'screens/dashboard/dashboard.tsx'),
  route('dashboard/receipts/:id', 'screens/dashboard/receipt.tsx'),
  route('admin', 'screens/admin/admin.tsx', [
    index('screens/admin/dashboard/dashboard.tsx'),
    route('users', 'screens/admin/users/users.tsx'),
    route('users/:id', 'screens/admin/users/user.tsx'),
    route('upload', 'screens/admin/upload/upload.tsx'),
    route('products', 'screens/admin/products/products.tsx'),
    route('products/new', 'screens/admin/products/new-product.tsx'),
    route('products/:id', 'screens/admin/products/product.tsx'),
    route('purchases', 'screens/admin/purchases/purchases.tsx'),
    route('purchases/:id', 'screens/admin/purchases/purchase.tsx'),
    route('shipping', 'screens/admin/shipping/shipping.tsx'),
    route('shipping/slips', 'screens/admin/shipping/slips.tsx'),
    route('purchases/:id/evidence', 'screens/admin/purchases/evidence.tsx'),
    route('payments', 'screens/admin/payments/payments.tsx'),
    route('messages', 'screens/admin/messages/messages.tsx'),
    route('mails', 'screens/admin/mails/mails.tsx'),
    route('mails/:name', 'screens/admin/mails/mail.tsx'),
    route('backups', 'screens/admin/backups/backups.tsx'),
    route('security', 'screens/admin/security/security.tsx'),
    route('audit', 'screens/admin/audit/audit.tsx'),
    route('sales', 'screens/admin/sales/sales.tsx'),
    route('settings', 'screens/admin/settings/settings.tsx', [
      index('screens/admin/settings/shop.tsx'),
      route('shipping', 'screens/admin/settings/shipping.tsx'),
      route('tax', 'screens/admin/settings/tax.tsx'),
    ]),
  ]),
  route('*', 'screens/not-found.tsx'),
] satisfies RouteConfig
