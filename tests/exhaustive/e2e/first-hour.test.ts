/** The first hour again, with a picture of each station, light and dark. */
import '../../e2e/first-hour.test.ts';
