// An address that is no page of the app: the site's, or nobody's. The document is loaded that the server has there.
import { useEffect } from 'react'
import { carryNotice } from '../notices/stored-notice.ts'
import { isSigningOut } from '../page/page-state.ts'

export default function Leave() {
  useEffect(() => {
    // A user who signs out by a button is led home already.
    if (isSigningOut.get()) return
    carryNotice()
    location.reload()
  }, [])
  return null
}
