// The HTML document of a page of the site.
import type { ReactNode } from 'react'
import type { MetaDescriptor } from 'react-router'
import { siteTexts } from '#words/site.ts'
import { loader } from 'virtual:islands'
import { directionOf } from '#contract/direction.ts'
import { lettersOf } from '../page/letters.ts'
import { LoadAgain, lostClass, NoScript, PageHead, TestRibbon } from '../page/page-shell.tsx'
import { PageTexts } from '../page/page-texts.tsx'
import { useBook } from '../shop.ts'
import { ToastsPlace } from '../page/island.tsx'
import { DataScript, type IslandData } from './page-data.tsx'
import siteStyle from './site.css?inline'
import styleUrl from './site.css?url'

type DocumentProps = {
  data: IslandData
  /** Names of the texts that its islands read: complete once they are rendered, before the end of the document. */
  texts: ReadonlySet<string>
  tags: MetaDescriptor[]
  children: ReactNode
}

export function SiteDocument({ data, tags, texts, children }: DocumentProps) {
  const book = useBook()
  const letters = lettersOf(book.language)
  return (
    <html lang={book.language} dir={directionOf(book.language)} data-letters={letters}>
      <PageHead front="site" book={book} letters={letters} style={siteStyle}>
        {tags.map(toElement)}
        {import.meta.env.DEV ? (
          <>
            <link rel="stylesheet" href={styleUrl} />
            <script type="module" src="/src/web/site/development.ts" />
          </>
        ) : (
          <script dangerouslySetInnerHTML={{ __html: loader }} />
        )}
      </PageHead>
      <body>
        {data.shop.isTestMode && <TestRibbon />}
        <NoScript canBuy={data.shop.hasGuestCheckout} />
        <LostScripts />
        {data.answer?.notice && <AnswerNotice>{data.answer.notice}</AnswerNotice>}
        {children}
        <ToastsPlace />
        <DataScript data={data} />
        <PageTexts names={texts} />
      </body>
    </html>
  )
}

/** Shown by the loader, where a script is lost. */
function LostScripts() {
  return (
    <>
      <template data-lost="offline">
        <p role="alert" data-lost-shown="" className={lostClass}>
          {siteTexts.offline}
        </p>
      </template>
      <template data-lost="online">
        <LoadAgain data-lost-shown="" className={lostClass} />
      </template>
    </>
  )
}

/** The notice says what is wrong with a form that was posted without scripts, where no field is. */
function AnswerNotice({ children }: { children: string }) {
  return (
    <p role="alert" className={lostClass}>
      {children}
    </p>
  )
}

/** Writes tags as React Router writes them in the app's pages. */
function toElement(tag: MetaDescriptor): ReactNode {
  if ('title' in tag) return <title key="title">{String(tag.title)}</title>
  if ('script:ld+json' in tag) {
    const json = JSON.stringify(tag['script:ld+json']).replaceAll('<', String.raw`\u003c`)
    return <script key="ld" type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
  }
  if ('tagName' in tag) {
    const { tagName: _, ...attributes } = tag
    return <link key={JSON.stringify(tag)} {...attributes} />
  }
  return <meta key={JSON.stringify(tag)} {...tag} />
}
