import { siteTexts } from '#words/site.ts'
import { fill } from '#words/fill.ts'
import { Link } from 'react-router'
import { useBook, useHasGuestCheckout, useHasWithdrawal } from './shop.ts'
import { Container } from './components/container.tsx'

export function SiteFooter() {
  const book = useBook()
  const hasGuestCheckout = useHasGuestCheckout()
  const hasWithdrawal = useHasWithdrawal()
  const links = [
    { to: '/preview', text: siteTexts.readPreview },
    { to: '/#book-sales', text: siteTexts.formatsAndPrices },
    { to: '/#contact', text: siteTexts.contact },
    { to: hasGuestCheckout ? '/purchases' : '/dashboard', text: siteTexts.yourPurchases },
    ...(hasWithdrawal ? [{ to: '/withdraw', text: siteTexts.withdraw }] : []),
  ]
  const legal = book.legal.pages.map(({ name, title }) => ({ to: `/${name}`, text: title }))
  return (
    <footer className="border-t border-line py-10">
      <Container className="flex flex-col justify-between gap-6 text-sm text-soft sm:flex-row sm:items-center">
        <p>
          <span className="font-display text-base font-semibold text-ink">{book.title}</span>
          <br />
          {book.author.name && <span>{fill(siteTexts.byAuthor, { author: book.author.name })}</span>}
        </p>
        <nav aria-label={siteTexts.footer}>
          <ul className="grid grid-cols-2 gap-x-6 sm:flex sm:flex-wrap sm:justify-end">
            {[...links, ...legal].map(({ to, text }) => (
              <li key={to}>
                <Link to={to} className="inline-block py-2 underline-offset-4 hover:text-ink hover:underline">
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </Container>
    </footer>
  )
}
