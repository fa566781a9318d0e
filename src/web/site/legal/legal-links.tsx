// The links to the legal pages, for those who are about to buy.
import { siteTexts } from '#words/site.ts'
import { Fragment } from 'react'
import { Link } from '../../components/button.tsx'
import { useBookFacts } from '../../shop.ts'

type LegalLinksProps = {
  className: string
  opensTab?: boolean
}

export function LegalLinks({ className, opensTab = false }: LegalLinksProps) {
  const { pages } = useBookFacts().legal
  if (pages.length === 0) return null
  return (
    <p className={className}>
      {siteTexts.beforeYouBuy}{' '}
      {pages.map(({ name, title }, index) => (
        <Fragment key={name}>
          {index > 0 && <span>{' · '}</span>}
          <Link
            to={`/${name}`}
            {...(opensTab && { target: '_blank' })}
            className="inline-block rounded-sm py-1 text-ink underline underline-offset-4"
          >
            {title}
          </Link>
        </Fragment>
      ))}
    </p>
  )
}
