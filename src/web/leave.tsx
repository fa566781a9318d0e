// An address that is no page of the app: the site's, or nobody's. The document is loaded that the server has there.
import { useEffect } from 'react'

export default function Leave() {
  useEffect(() => location.reload(), [])
  return null
}
