// The bar on top of the public pages: the book's title, and the ways to one's own things.
import { Link } from 'react-router'
import { book } from '#content/book.ts'
import favicon from './generated/favicon.svg?url'
import { ButtonLink } from './ui/button.tsx'
import { Container } from './ui/container.tsx'

export function SiteHeader() {
  return (
    <header className="relative z-10">
      <Container className="flex min-h-18 items-center justify-between gap-4 py-3">
        <Link
          to="/"
          className="flex items-center gap-3 rounded-sm font-display text-lg leading-tight font-semibold"
        >
          <img src={favicon} alt="" width={32} height={32} className="size-8" />
          <span className="max-sm:max-w-40">{book.title}</span>
        </Link>
        <nav aria-label="Account" className="flex shrink-0 items-center gap-1 sm:gap-2">
          <div className="signed-out">
            <ButtonLink to="/auth" look="outline">
              Sign In
            </ButtonLink>
          </div>
        </nav>
      </Container>
    </header>
  )
}
