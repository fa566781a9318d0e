// Where the links of mails lead that confirm something about an account (site.ts): a dialog, for opening a link does nothing.
import { authTexts } from '#words/auth.ts'
import { SiteFooter, SiteHeader } from '../../site-frame.tsx'
import { useIsAlive } from '../../use-page.ts'
import ConfirmLink from './confirm-link.tsx'

export function meta() {
  return [{ title: authTexts.account }, { name: 'robots', content: 'noindex' }]
}

export default function Confirm() {
  // The page is the same for every link: its query is read in the browser.
  const isAlive = useIsAlive()
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} className="closing-light min-h-dvh" />
      <SiteFooter />
      {isAlive && <ConfirmLink />}
    </>
  )
}
