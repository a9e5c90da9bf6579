<?php
/**
 * Removes what the plugin has stored. WordPress calls it when the plugin is deleted.
 *
 * @package Ghostlight
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/**
 * Of one site.
 *
 * @return void
 */
function ghostlight_uninstall_site() {
	global $wpdb;
	foreach ( array( 'settings', 'secret', 'lists', 'status', 'turn', 'dropped', 'manifest', 'schema' ) as $name ) {
		delete_option( 'ghostlight_' . $name );
	}
	foreach ( array( 'pause', 'cache_check', 'manifest_turn', 'manifest_bypass' ) as $name ) {
		delete_transient( 'ghostlight_' . $name );
	}
	wp_unschedule_hook( 'ghostlight_send' );
	wp_unschedule_hook( 'ghostlight_lists' );
	// phpcs:ignore WordPress.DB.DirectDatabaseQuery, WordPress.DB.PreparedSQL.InterpolatedNotPrepared -- The table is the plugin's own, its name is fixed.
	$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}ghostlight_visits" );
}

if ( is_multisite() ) {
	foreach ( get_sites(
		array(
			'fields' => 'ids',
			'number' => 0,
		)
	) as $ghostlight_site ) {
		switch_to_blog( $ghostlight_site );
		ghostlight_uninstall_site();
		restore_current_blog();
	}
} else {
	ghostlight_uninstall_site();
}
