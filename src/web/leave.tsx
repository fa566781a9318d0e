// An address that is no page of the app: the site's, or nobody's. The document is loaded that the server has there.
import { useEffect } from 'react'
import { carryNotice } from './carried-notice.ts'

export default function Leave() {
  useEffect(() => {
    carryNotice()
    location.reload()
  }, [])
  return null
}
