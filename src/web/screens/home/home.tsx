// The home page.
import { shownProducts } from '../../entry.server.tsx'
import { SiteFooter } from '../../site-footer.tsx'
import { SiteHeader } from '../../site-header.tsx'
import type { Route } from './+types/home.ts'
import { Blueprint } from './blueprint.tsx'
import { BookSales } from './book-sales.tsx'
import { Closing } from './closing.tsx'
import { Excerpt } from './excerpt.tsx'
import { Hero } from './hero.tsx'
import { Invitation } from './invitation.tsx'
import { Words } from './words.tsx'

export function loader({ context }: Route.LoaderArgs) {
  return { products: context.get(shownProducts) }
}

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <SiteHeader />
      <main>
        <Hero />
        <Blueprint />
        <Excerpt />
        <Words />
        <Invitation />
        <BookSales products={loaderData.products} />
        <Closing />
      </main>
      <SiteFooter />
    </>
  )
}
