<?php
/**
 * Plugin Name:       Ghostlight
 * Description:       Reports visits of AI crawlers, and of people who come from AI assistants, to your Ghostlight service. Pages are not slowed down.
 * Version:           0.1.0
 * Requires at least: 6.0
 * Requires PHP:      7.4
 * Author:            Ghostlight
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/old-licenses/gpl-2.0.html
 * Text Domain:       ghostlight
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

define( 'GHOSTLIGHT_VERSION', '0.1.0' );
define( 'GHOSTLIGHT_FILE', __FILE__ );

spl_autoload_register(
	static function ( $name ) {
		if ( 0 === strpos( $name, 'Ghostlight_' ) ) {
			$file = __DIR__ . '/includes/class-' . strtolower( str_replace( '_', '-', $name ) ) . '.php';
			if ( is_readable( $file ) ) {
				require $file;
			}
		}
	}
);

register_activation_hook( __FILE__, array( 'Ghostlight_Plugin', 'activate' ) );
register_deactivation_hook( __FILE__, array( 'Ghostlight_Plugin', 'deactivate' ) );

Ghostlight_Plugin::register();
