// While the shop is developed, the loader is a module like any other.
import './loader.ts'
