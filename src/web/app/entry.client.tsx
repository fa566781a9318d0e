// The entry of the app in the browser.
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { readTextsFrom } from '#words/texts.ts'
import { wordingOfPage } from '../page/page-texts.tsx'

readTextsFrom(wordingOfPage)

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
