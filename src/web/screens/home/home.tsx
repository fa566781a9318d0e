import { homeTexts } from '#words/home.ts'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import type { Product } from '#contract/catalog/products.ts'
import type { SectionName } from '#contract/book/book.ts'
import { useBook } from '../../shop.ts'
import { failure, loadFailure } from '../../copy.ts'
import { shownProducts } from '../../entry.server.tsx'
import { toObject } from '../../json.ts'
import { pageMeta } from '../../page-meta.ts'
import { SiteFooter } from '../../site-footer.tsx'
import { SiteHeader } from '../../site-header.tsx'
import { toast } from '../../toasts.tsx'
import type { Route } from './+types/home.ts'
import {
  About,
  Blueprint,
  Closing,
  Excerpt,
  FreeText,
  Invitation,
  Questions,
  Quotes,
  Words,
} from './book-sections.tsx'
import { BookSales, type BookSalesProps } from './book-sales.tsx'
import type { BuyResponse } from './buy.ts'
import { Contact } from './contact.tsx'
import { Hero } from './hero.tsx'
import { bookJsonLd } from './json-ld.ts'
import { sendMessage } from './send-message.ts'

export function loader({ context }: Route.LoaderArgs) {
  return { products: context.get(shownProducts), asked: 0 }
}

/** Not awaited: the page comes at once, with its products still on their way. */
export async function clientLoader() {
  return { products: fetchProducts(), asked: Date.now() }
}

/** Neither a purchase nor a message changes what is for sale, unless somebody else has changed it. */
export function shouldRevalidate({
  formMethod,
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return formMethod ? toObject(actionResult)['isOutdated'] === true : defaultShouldRevalidate
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData()
  return form.get('intent') === 'buy' ? loadAndBuy(form) : sendMessage(form)
}

/** Its code is loaded with the first press: most visitors only read. */
async function loadAndBuy(form: FormData): Promise<BuyResponse | Response> {
  try {
    const { buy } = await import('./buy.ts')
    return await buy(form)
  } catch (error) {
    toast(failure(homeTexts.purchaseFailed, error, homeTexts.loadAgain))
    return { isOwned: false }
  }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const shop = matches[0].loaderData
  const products = Array.isArray(loaderData?.products) ? loaderData.products : []
  return [...pageMeta({ ...shop, path: '/' }), { 'script:ld+json': bookJsonLd(shop, products) }]
}

const BuyBar = lazy(() => import('./buy-bar.tsx').catch(() => ({ default: () => null })))

export default function Home({ loaderData }: Route.ComponentProps) {
  useLeftCheckout()
  const { sections, is_sample } = useBook()
  const hasScrolled = useHasScrolled()
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        <Hero {...loaderData} />
        <About />
        {sections.map(({ name, is_shown }) => {
          const Section = middle[name]
          return is_shown && <Section key={name} {...loaderData} />
        })}
        <Closing />
      </main>
      {!is_sample && hasScrolled && (
        <Suspense>
          <BuyBar {...loaderData} />
        </Suspense>
      )}
      <SiteFooter />
    </>
  )
}

/** At the top the hero has the same button, and the bar's code is not needed yet. */
function useHasScrolled(): boolean {
  const [hasScrolled, setHasScrolled] = useState(false)
  useEffect(() => {
    const onScroll = () => setHasScrolled(true)
    if (scrollY > 0) onScroll()
    addEventListener('scroll', onScroll, { once: true, passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  return hasScrolled
}

const middle: Record<SectionName, ComponentType<BookSalesProps>> = {
  blueprint: Blueprint,
  preview: Excerpt,
  words: Words,
  invitation: Invitation,
  text: FreeText,
  quotes: Quotes,
  questions: Questions,
  purchase: BookSales,
  contact: Contact,
}

async function fetchProducts(): Promise<Product[] | undefined> {
  try {
    const { api, responseOf } = await import('../../api.ts')
    return await responseOf(api.products.$get())
  } catch (error) {
    toast(loadFailure(homeTexts.productsFailed, error))
    return undefined
  }
}

function useLeftCheckout(): void {
  useEffect(() => {
    const { pathname, search, hash } = location
    if (new URLSearchParams(search).get('checkout') !== 'canceled') return
    // Not by the router, which would ask for the products anew. A reload, or a way back, does not say it again.
    history.replaceState(history.state, '', pathname + hash)
    toast(homeTexts.paymentNotFinished)
  }, [])
}
