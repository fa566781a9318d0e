// On a phone: the price and the way to the book, while neither the hero's button nor the products are on the screen.
import { homeTexts } from '#words/home.ts'
import { Suspense } from 'react'
import { Await } from 'react-router'
import { BottomBar, useIsOutOfView } from '../../components/bottom-bar.tsx'
import { useBook } from '../../shop.ts'
import type { BookSalesProps } from './book-sales.tsx'
import { BuyNow } from './buy-button.tsx'
import { PriceLine } from '../../price-line.tsx'

/** Where the bar would repeat what is there, or cover what is typed into. */
const places = '#hero-actions, #book-sales, #contact, #closing, footer'

export default function BuyBar({ products, asked }: BookSalesProps) {
  const { title } = useBook()
  const isNeeded = useIsOutOfView(places)
  if (!isNeeded) return null
  return (
    <Suspense key={asked}>
      <Await resolve={products}>
        {(list) =>
          list &&
          list.length > 0 && (
            <BottomBar label={homeTexts.getTheBook} className="md:hidden">
              <p className="min-w-0 grow">
                <span className="block truncate font-display text-lg leading-snug">{title}</span>
                <span className="block truncate text-sm text-soft">
                  <PriceLine products={list} />
                </span>
              </p>
              <div className="shrink-0">
                <BuyNow products={list} className="" />
              </div>
            </BottomBar>
          )
        }
      </Await>
    </Suspense>
  )
}
