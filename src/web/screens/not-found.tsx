// The answer to every unknown path.
import { data, Link } from 'react-router'

export function loader() {
  return data(null, { status: 404 })
}

export async function clientLoader() {
  return null
}

export default function NotFound() {
  return (
    <main>
      <h1>Oops! Page not found</h1>
      <Link to="/">Return to Home</Link>
    </main>
  )
}
