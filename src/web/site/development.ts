// The loader is a module like any other while the shop is developed.
import './loader.ts'
