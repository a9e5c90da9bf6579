<?php
/**
 * Which part is called when.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Hooks, activation and schedules.
 */
final class Ghostlight_Plugin {

	/**
	 * Called once for each request, when WordPress loads its plugins.
	 *
	 * @return void
	 */
	public static function register() {
		add_filter( 'cron_schedules', array( __CLASS__, 'schedules' ) ); // phpcs:ignore WordPress.WP.CronInterval -- Six hours.
		add_action( 'ghostlight_lists', array( 'Ghostlight_Lists', 'refresh' ) );
		add_action( 'ghostlight_lists', array( 'Ghostlight_Caches', 'check_when_due' ) );
		add_action( 'ghostlight_send', array( 'Ghostlight_Sender', 'send_all' ) );
		if ( is_admin() ) {
			Ghostlight_Settings_Page::register();
			add_action( 'admin_init', array( __CLASS__, 'prepare' ) );
		}
		$settings = Ghostlight_Settings::get();
		if ( ! $settings->is_complete() ) {
			return;
		}
		Ghostlight_Reporter::register();
		if ( $settings->serves_manifest ) {
			Ghostlight_Manifest::register();
		}
	}

	/**
	 * The table and the schedule, on each site where they are missing: a network activates a plugin once for many sites.
	 *
	 * @return void
	 */
	public static function prepare() {
		Ghostlight_Buffer::install();
		if ( ! wp_next_scheduled( 'ghostlight_lists' ) ) {
			wp_schedule_event( time(), 'ghostlight_six_hours', 'ghostlight_lists' );
		}
	}

	/**
	 * WordPress calls it on activation, for the current site.
	 *
	 * @return void
	 */
	public static function activate() {
		self::prepare();
	}

	/**
	 * WordPress calls it on deactivation. Settings stay until the plugin is deleted.
	 *
	 * @return void
	 */
	public static function deactivate() {
		wp_unschedule_hook( 'ghostlight_lists' );
		wp_unschedule_hook( 'ghostlight_send' );
	}

	/**
	 * How often the bot list is fetched.
	 *
	 * @param array<string, mixed> $schedules Of WordPress.
	 * @return array<string, mixed>
	 */
	public static function schedules( $schedules ) {
		$schedules['ghostlight_six_hours'] = array(
			'interval' => 6 * HOUR_IN_SECONDS,
			'display'  => __( 'Every six hours', 'ghostlight' ),
		);
		return $schedules;
	}
}
