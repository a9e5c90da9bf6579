<?php
/**
 * The end of the page.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * What PHP offers to end the answer before the script ends.
 */
final class Ghostlight_Response {

	/**
	 * Whether this server can end the answer first: PHP-FPM, FrankenPHP and LiteSpeed can, PHP as a module of Apache can't.
	 *
	 * @return bool
	 */
	public static function can_finish() {
		return function_exists( 'fastcgi_finish_request' ) || function_exists( 'litespeed_finish_request' );
	}

	/**
	 * Ends the answer. What follows takes no visitor's time.
	 *
	 * @return bool Whether the visitor has the whole answer now.
	 */
	public static function finish() {
		// An open session would hold up the same visitor's next page until this script ends.
		if ( PHP_SESSION_ACTIVE === session_status() ) {
			session_write_close();
		}
		if ( function_exists( 'fastcgi_finish_request' ) ) {
			return fastcgi_finish_request();
		}
		if ( function_exists( 'litespeed_finish_request' ) ) {
			return litespeed_finish_request();
		}
		return false;
	}
}
